// A torus that fills row by row: right and down are not the same.
// setting: -DK=2 order 4
// setting: -DK=3 order 9
byte x[K*K];
proctype node(byte id) {
  do
  :: atomic { x[id] == 0 && x[(id / K) * K + (id % K + 1) % K] == 1 -> x[id] = 1 }
  :: atomic { x[id] == 1 && x[(id + K) % (K * K)] == 0 -> x[id] = 0 }
  :: x[id] = 1
  od
}
init { atomic { byte k; for (k : 0 .. K*K-1) { run node(k) } } }
