// A binary tree by parents; the root is 1.
// setting: -DN=3 order 2
// setting: -DN=7 order 8
bool on[N+1];
proctype node(byte id) {
  do
  :: atomic { id == 1 || on[id / 2] -> on[id] = true }
  :: on[id] -> on[id] = false
  od
}
init { byte k; atomic { k = 1; do :: k <= N -> run node(k); k++ :: else -> break od } }
