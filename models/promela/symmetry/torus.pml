// A square torus: nodes look right and down.
// setting: -DK=2 order 8
// setting: -DK=3 order 18
bool x[K*K];
proctype node(byte id) {
  do
  :: atomic { !x[id] && !x[(id / K) * K + (id % K + 1) % K] && !x[(id + K) % (K * K)] -> x[id] = 1 }
  :: x[id] -> x[id] = 0
  od
}
init { atomic { byte k; for (k : 0 .. K*K-1) { run node(k) } } }
