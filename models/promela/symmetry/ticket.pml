// A ticket lock; tickets go round.
// setting: -DN=2 order 4
// setting: -DN=3 order 18
byte next; byte serving; byte my[N] = 255;
active [N] proctype p() {
  do
  :: d_step { my[_pid] == 255 -> my[_pid] = next; next = (next + 1) % N }
  :: d_step { my[_pid] == serving -> my[_pid] = 255; serving = (serving + 1) % N }
  od
}
