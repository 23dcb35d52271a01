// A flag is the conjunction of all, taken in two ways.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
bool yes[N]; bool all;
active [N] proctype p() {
  byte i; bool b;
  do
  :: yes[_pid] = 1
  :: atomic { yes[_pid] -> b = true; for (i in yes) { b = b && yes[i] } all = b; b = 0; i = 0 }
  :: atomic { yes[_pid] -> i = 1; b = yes[0]; do :: i != N -> b = b && yes[i]; i++ :: i == N -> break od; all = b; b = 0; i = 0 }
  od
}
