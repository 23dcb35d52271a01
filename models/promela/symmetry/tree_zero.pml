// A heap from 0: children 2i+1 and 2i+2, computed first; leaves end the recursion by a test.
// setting: -DN=3 order 2, found 1
// setting: -DN=7 order 8, found 1
bool done[N];
proctype node(byte id) {
  byte l, r;
  l = 2 * id + 1; r = l + 1;
  do
  :: atomic { l >= N && !done[id] -> done[id] = true }
  :: atomic { l < N && done[l] && done[r] && !done[id] -> done[id] = true; done[l] = false; done[r] = false }
  od
}
init { byte k; atomic { for (k : 0 .. N-1) { run node(k) } } }
