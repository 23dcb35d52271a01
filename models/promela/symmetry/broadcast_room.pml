// A broadcast only where all boxes are empty.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
chan box[N] = [1] of { byte }; bool sent;
active proctype sender() {
  byte i; byte n;
  do
  :: atomic {
       n = 0; for (i : 0 .. N-1) { n = n + len(box[i]) }
       if
       :: n == 0 -> i = 0; do :: i < N -> box[i]!1; i++ :: else -> break od; sent = !sent
       :: else
       fi; i = 0; n = 0 }
  od
}
proctype r(byte id) { byte x; do :: box[id]?x -> x = 0 od }
init { atomic { byte k; for (k : 0 .. N-1) { run r(k) } } }
