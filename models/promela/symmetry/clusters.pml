// Clusters of two; the number of the cluster is id / 2.
// setting: -DN=4 order 8
// setting: -DN=6 order 48
byte busy[N/2]; bool in[N];
proctype p(byte id) {
  byte c;
  do
  :: atomic { c = id / 2; if :: !in[id] && busy[c] < 1 -> busy[c]++; in[id] = true :: else fi; c = 0 }
  :: atomic { in[id] -> in[id] = false; c = id / 2; busy[c]--; c = 0 }
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run p(k) } } }
