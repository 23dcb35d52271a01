// The same with records.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
typedef row { bool has[N] };
row heard[N];
active [N] proctype node() {
  byte i;
  do
  :: heard[_pid].has[_pid] = true
  :: atomic { i = 0; do :: i < N -> if :: heard[i].has[i] -> heard[_pid].has[i] = true :: else fi; i++ :: else -> break od; i = 0 }
  od
}
