// The sum of the ids inside: numbers matter.
// setting: -DN=3 order 1
byte s; bool in[N];
proctype p(byte id) {
  do
  :: atomic { !in[id] -> in[id] = true; s = s + id }
  :: atomic { in[id] && s != 2 -> in[id] = false; s = s - id }
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run p(k) } } }
