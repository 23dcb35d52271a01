// A primary writes to all its backups and waits for all of them; values go round.
// setting: -DN=2 order 6
// setting: -DN=3 order 18
byte data[N]; bool acked[N]; byte cur; byte phase;
active proctype primary() {
  byte i; byte n;
  do
  :: atomic { phase == 0 -> cur = (cur + 1) % 3; phase = 1;
       i = N; do :: i > 0 -> i--; acked[i] = false :: i == 0 -> break od }
  :: atomic { phase == 1 ->
       n = 0;
       for (i in acked) { n = n + acked[i] }
       i = 0;
       if :: n == N -> phase = 0 :: n != N -> skip fi; n = 0 }
  od
}
proctype backup(byte b) {
  do :: atomic { phase == 1 && !acked[b] -> data[b] = cur; acked[b] = true } od
}
init { atomic { byte k = N; do :: k > 0 -> k--; run backup(k) :: else -> break od } }
