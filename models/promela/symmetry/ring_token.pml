// A token that may be lost; N is nobody.
// setting: -DN=3 order 3
// setting: -DN=4 order 4
byte tok = N; bool want[N];
active [N] proctype node() {
  do
  :: atomic { tok == N -> tok = _pid }
  :: atomic { tok == _pid && !want[_pid] -> tok = (_pid + 1) % N }
  :: want[_pid] = true
  :: atomic { tok == _pid && want[_pid] -> want[_pid] = false; tok = N }
  od
}
