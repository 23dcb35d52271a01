// One philosopher takes the right fork first: nobody is like another.
// setting: -DN=3 order 1
bool fork[N];
proctype phil(byte id) {
  byte a, b;
  if :: id == 0 -> a = 1; b = 0 :: else -> a = id; b = (id + 1) % N fi;
  do
  :: atomic { !fork[a] -> fork[a] = true };
     atomic { !fork[b] -> fork[b] = true };
     fork[a] = false; fork[b] = false
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run phil(k) } } }
