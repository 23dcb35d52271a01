// A directory keeps who shares and who owns.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
bool shares[N]; byte owner = N; byte line[N];
active proctype directory() {
  byte i;
  do
  :: d_step { owner < N && line[owner] == 0 -> owner = N }
  :: d_step { owner != N && line[owner] == 2 -> line[owner] = 1; shares[owner] = true; owner = N }
  :: d_step { owner == N -> for (i : 0 .. N-1) { if :: shares[i] && line[i] == 0 -> shares[i] = false :: else fi } i = 0 }
  od
}
proctype cache(byte me) {
  byte i;
  do
  :: d_step { line[me] == 0 && owner == N -> shares[me] = 1; line[me] = 1 }
  :: d_step { line[me] == 1 && owner == N ->
       for (i : 0 .. N-1) { shares[i] = false; if :: i == me -> line[i] = 2 :: else -> line[i] = 0 fi }
       owner = me; i = 0 }
  :: line[me] == 1 -> line[me] = 0
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run cache(k) } } }
