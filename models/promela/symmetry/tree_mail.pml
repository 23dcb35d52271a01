// A parent sends to both of its children in a row.
// setting: -DN=3 order 2
// setting: -DN=7 order 8
chan q[N+1] = [1] of { bit }; bool got[N+1];
proctype node(byte id) {
  do
  :: atomic { id == 1 && !got[id] -> got[id] = true; q[2*id]!1; q[2*id+1]!1 }
  :: atomic { q[id]?1 -> got[id] = true; if :: 2*id <= N -> q[2*id]!1; q[2*id+1]!1 :: else fi }
  od
}
init { byte k; atomic { for (k : 1 .. N) { run node(k) } } }
