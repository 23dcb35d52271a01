// Who has the flag is copied by a loop; at most one has it.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
bool flag[N]; byte known[N] = N; bool taken;
proctype p(byte me) {
  byte i, w;
  do
  :: atomic { !taken -> taken = true; flag[me] = true }
  :: known[me] != N && known[me] != me -> known[me] = N
  :: atomic { flag[me] -> flag[me] = false; taken = false }
  :: atomic { w = N; i = 0; do :: i < N -> if :: flag[i] -> w = i :: else fi; i++ :: else -> break od;
       known[me] = w; w = 0; i = 0 }
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run p(k) } } }
