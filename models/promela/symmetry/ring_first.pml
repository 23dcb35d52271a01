// A ring; the neighbour is computed in steps.
// setting: -DN=3 order 3
// setting: -DN=4 order 4
byte x[N];
proctype node(byte id) {
  byte n;
  do
  :: atomic { n = 0; if :: id < N-1 -> n = id + 1 :: else -> skip fi; if :: x[id] == 0 && x[n] != 1 -> x[id] = 1 :: else fi; n = 0 }
  :: x[id] == 1 -> x[id] = 2
  :: x[id] == 2 -> x[id] = 0
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run node(k) } } }
