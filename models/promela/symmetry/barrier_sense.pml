// A barrier: the last to come lets all go.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
// setting: -DN=4 order 24
byte n; bool sense; bool mine[N];
proctype p(byte id) {
  do
  :: atomic { mine[id] == sense -> mine[id] = !sense; n = n + 1; if :: n == N -> n = 0; sense = !sense :: n != N fi }
  od
}
init { byte k = 0; atomic { do :: k < N -> run p(k); k++ :: else -> break od } }
