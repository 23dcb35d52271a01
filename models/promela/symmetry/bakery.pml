// Equal numbers are decided by ids: no symmetry.
// setting: -DN=2 order 1
byte num[N];
active [N] proctype p() {
  byte i, m;
  do
  :: num[_pid] = 1;
     (num[1 - _pid] == 0 || num[_pid] < num[1 - _pid] || (num[_pid] == num[1 - _pid] && _pid < 1 - _pid));
     num[_pid] = 0
  od
}
