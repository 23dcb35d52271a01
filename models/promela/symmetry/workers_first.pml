// A boss gives a job to the first idle worker: no symmetry.
// setting: -DN=2 order 1
// setting: -DN=3 order 1
bool busy[N];
active proctype boss() {
  byte i;
  do
  :: atomic { i = 0; do :: i == N -> break :: i < N && !busy[i] -> busy[i] = true; break :: else -> i++ od; i = 0 }
  od
}
proctype worker(byte w) { do :: busy[w] -> busy[w] = false od }
init { atomic { byte k; for (k : 0 .. N-1) { run worker(k) } } }
