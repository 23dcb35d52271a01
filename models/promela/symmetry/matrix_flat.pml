// Who has heard of whom: a flat matrix.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
bool heard[N*N];
proctype node(byte me) {
  byte i;
  do
  :: heard[me*N + me] = true
  :: atomic { select (i : 0 .. N-1); if :: i != me -> heard[me*N + i] = heard[i*N + i] :: else fi; i = 0 }
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run node(k) } } }
