// A line of nodes with ends: only turned round as a whole.
// setting: -DN=3 order 2
// setting: -DN=4 order 2
bool x[N];
proctype p(byte id) {
  do
  :: atomic { (id == 0 || !x[id - 1]) && (id == N - 1 || !x[id + 1]) -> x[id] = true }
  :: x[id] -> x[id] = false
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run p(k) } } }
