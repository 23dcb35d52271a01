// The neighbour is computed once, in steps, when a node begins.
// setting: -DN=3 order 3, found 1
// setting: -DN=4 order 4, found 1
byte x[N];
proctype node(byte id) {
  byte left, right;
  right = id + 1;
  if :: right == N -> right = 0 :: right < N fi;
  if :: id == 0 -> left = N - 1 :: else -> left = id - 1 fi;
  do
  :: atomic { x[id] == 0 && x[right] != 1 -> x[id] = 1 }
  :: atomic { x[id] == 1 && x[left] != 2 -> x[id] = 2 }
  :: x[id] == 2 -> x[id] = 0
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run node(k) } } }
