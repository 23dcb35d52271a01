// Counters of their own, and their sum.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
byte c[N]; byte sum;
active [N] proctype p() {
  byte i, s;
  do
  :: c[_pid] < 2 -> c[_pid]++
  :: c[_pid] > 0 -> c[_pid]--
  :: atomic { s = 0; i = 0; do :: i != N -> s = s + c[i]; i++ :: i == N -> break od; sum = s; s = 0; i = 0 }
  od
}
