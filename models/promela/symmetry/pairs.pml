// Partners work together, by exclusive or.
// setting: -DN=4 order 8
// setting: -DN=6 order 48
bool r[N];
active [N] proctype p() {
  do
  :: !r[_pid] -> r[_pid] = true
  :: atomic { r[_pid] && r[_pid ^ 1] -> r[_pid] = false; r[_pid ^ 1] = false }
  od
}
