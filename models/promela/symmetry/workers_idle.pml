// A boss gives a job to any idle worker.
// setting: -DN=2 order 2, found 1
// setting: -DN=3 order 6, found 1
// setting: -DN=4 order 24, found 1
bool busy[N]; byte n;
active proctype boss() {
  byte i;
  do
  :: atomic { n < N ->
       i = 0;
       do
       :: i < N && !busy[i] -> break
       :: i < N -> i++
       :: i >= N -> i = 0
       od;
       busy[i] = true; n++; i = 0 }
  od
}
active [N] proctype worker() {
  do :: atomic { busy[_pid - 1] -> busy[_pid - 1] = false; n-- } od
}
