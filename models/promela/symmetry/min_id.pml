// The least id that wants goes first: no symmetry.
// setting: -DN=2 order 1
// setting: -DN=3 order 1
bool want[N]; byte now = N;
active [N] proctype p() {
  byte i, m;
  do
  :: want[_pid] = true
  :: atomic { now == N -> m = N; for (i : 0 .. N-1) { if :: want[i] && i < m -> m = i :: else fi } now = m; m = 0; i = 0 }
  :: atomic { now == _pid -> want[_pid] = false; now = N }
  od
}
