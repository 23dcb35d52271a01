// Messages along a dimension chosen at random.
// setting: -DD=2 -DN=4 order 8
// setting: -DD=3 -DN=8 order 48
bool at[N];
proctype node(byte id) {
  byte k;
  do
  :: atomic { at[id] -> select (k : 0 .. D-1); at[id ^ (1 << k)] = true; at[id] = false; k = 0 }
  :: !at[id] -> at[id] = true
  od
}
init { atomic { byte j; for (j : 0 .. N-1) { run node(j) } } }
