// Counts go up a tree; each node adds what its children have.
// setting: -DN=3 order 2
// setting: -DN=7 order 8
byte c[N+1];
proctype node(byte id) {
  do
  :: d_step { 2*id > N -> c[id] = 1 - c[id] }
  :: d_step { 2*id <= N -> c[id] = (c[2*id] + c[2*id+1]) % 2 }
  od
}
init { byte k; atomic { k = N; do :: k > 0 -> run node(k); k-- :: else -> break od } }
