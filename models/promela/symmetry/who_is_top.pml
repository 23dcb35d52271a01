// Who has the greatest number, the first of them if there are several: a trap.
// setting: -DN=2 order 1
// setting: -DN=3 order 1
bit a[N]; byte who;
active [N] proctype p() {
  byte i, w;
  do
  :: a[_pid] = 1 - a[_pid]
  :: atomic { w = 0; for (i : 1 .. N-1) { if :: a[i] > a[w] -> w = i :: else fi } who = w; w = 0; i = 0 }
  od
}
