// As ring_setup, by else.
// setting: -DN=3 order 3
// setting: -DN=4 order 4
byte x[N];
proctype node(byte id) {
  byte left, right;
  right = id + 1;
  if :: right == N -> right = 0 :: else fi;
  if :: id == 0 -> left = N - 1 :: else -> left = id - 1 fi;
  do
  :: atomic { x[id] == 0 && x[right] != 1 -> x[id] = 1 }
  :: atomic { x[id] == 1 && x[left] != 2 -> x[id] = 2 }
  :: x[id] == 2 -> x[id] = 0
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run node(k) } } }
