// Two rings of K nodes each.
// setting: -DK=2 order 8
// setting: -DK=3 order 18
#define N (2*K)
bool x[N];
proctype node(byte id) {
  do
  :: atomic { !x[id] && !x[(id / K) * K + (id % K + 1) % K] -> x[id] = true }
  :: x[id] -> x[id] = false
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run node(k) } } }
