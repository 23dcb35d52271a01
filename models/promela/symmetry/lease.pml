// A lease with a clock that runs round.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
// setting: -DN=4 order 24
int holder = -1; byte left;
active [N] proctype client() {
  do
  :: atomic { holder == -1 -> holder = _pid; left = 2 }
  :: atomic { holder == _pid && left > 0 -> left = 2 }
  :: atomic { holder == _pid -> holder = -1; left = 0 }
  od
}
active proctype clock() {
  do
  :: atomic { left > 0 -> left--; if :: left == 0 -> holder = -1 :: else fi }
  od
}
