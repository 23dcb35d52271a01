// A broadcast into boxes of one place: it can stop in the middle, and that is seen.
// setting: -DN=3 order 1
chan box[N] = [1] of { byte }; bool sent;
active proctype sender() {
  byte i;
  do
  :: atomic { i = 0; do :: i < N -> box[i]!1; i++ :: else -> break od; i = 0; sent = !sent }
  od
}
proctype r(byte id) { byte x; do :: box[id]?x -> x = 0 od }
init { atomic { byte k; for (k : 0 .. N-1) { run r(k) } } }
