// A torus on which right and down do not mean the same.
// setting: -DK=2 order 4
// setting: -DK=3 order 9
byte x[K*K];
proctype node(byte id) {
  do
  :: atomic { x[id] == 0 && x[(id / K) * K + (id % K + 1) % K] != 2 -> x[id] = 1 }
  :: atomic { x[id] == 1 && x[(id + K) % (K * K)] != 1 -> x[id] = 2 }
  :: x[id] == 2 -> x[id] = 0
  od
}
init { atomic { byte k; for (k : 0 .. K*K-1) { run node(k) } } }
