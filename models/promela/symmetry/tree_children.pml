// A binary tree by children; both count alike, leaves have none.
// setting: -DN=3 order 2
// setting: -DN=7 order 8
byte on[N+1];
proctype node(byte id) {
  do
  :: atomic { 2*id > N || (on[2*id] == 1 && on[2*id+1] == 1) -> on[id] = 1 }
  :: atomic { on[id] == 1 && (id == 1 || on[id/2] == 0) -> on[id] = 0 }
  od
}
init { byte k; atomic { k = 1; do :: k <= N -> run node(k); k++ :: else -> break od } }
