// Caches on a bus: who writes makes all others forget.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
mtype = { I, S, M };
mtype st[N] = I;
proctype cache(byte c) {
  byte j;
  do
  :: atomic { st[c] == I ->
       for (j in st) { if :: j != c && st[j] == M -> st[j] = S :: else fi }
       st[c] = S }
  :: atomic { st[c] != M ->
       j = 0;
       do
       :: j < N -> if :: j == c -> skip :: j != c -> st[j] = I fi; j++
       :: j >= N -> break
       od;
       st[c] = M }
  :: atomic { st[c] != I -> st[c] = I }
  od
}
init { atomic { byte n; for (n : 0 .. N - 1) { run cache(n) } } }
