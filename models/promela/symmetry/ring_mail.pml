// A ring of channels; a message goes round until it meets somebody who wants it.
// setting: -DN=2 order 2
// setting: -DN=3 order 3
chan link[N] = [1] of { byte };
proctype node(byte id; chan in; chan out) {
  byte from;
  do
  :: nfull(out) -> out!id
  :: atomic { in?from -> if :: from == id -> skip :: from != id && nfull(out) -> out!from :: else fi; from = 0 }
  od
}
init {
  byte k, n;
  atomic {
    k = 0;
    do
    :: k == N -> break
    :: k < N -> n = k + 1; if :: n == N -> n = 0 :: else fi; run node(k, link[k], link[n]); k++
    od;
    k = 0; n = 0 }
}
