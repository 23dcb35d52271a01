// Each pair may exchange what it knows.
// setting: -DN=3 order 6, found 2
// setting: -DN=4 order 24
bool knows[N];
active [N] proctype p() {
  byte i;
  do
  :: atomic { if :: i = 0 :: i = 1 :: i = N-1 :: i = N-2 fi; knows[i] = knows[i] || knows[_pid]; i = 0 }
  :: knows[_pid] = 1
  :: atomic { knows[_pid] -> knows[_pid] = 0 }
  od
}
