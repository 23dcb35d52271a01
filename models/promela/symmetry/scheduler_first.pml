// The first task that is ready is taken: a trap.
// setting: -DN=2 order 1
// setting: -DN=3 order 1
bool ready[N]; byte cur = N;
active proctype scheduler() {
  byte t;
  do
  :: cur == N -> atomic {
       t = 0;
       do
       :: t < N && ready[t] -> cur = t; break
       :: t < N && !ready[t] -> t++
       :: t == N -> break
       od;
       t = 0 }
  od
}
active [N] proctype task() {
  byte id = _pid - 1;
  do
  :: ready[id] = 1
  :: atomic { cur == id -> cur = N; ready[id] = 0 }
  od
}
