// A leader at the start that hands on to anybody: symmetric after the first step.
// setting: -DN=3 order 6
// setting: -DN=4 order 24
byte lead = 0; bool done[N];
proctype p(byte id) {
  byte k;
  do
  :: atomic { lead == id && done[id] -> select (k : 0 .. N-1); lead = k; done[id] = false; k = 0 }
  :: lead == id -> done[id] = true
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run p(k) } } }
