// A write goes to one replica after another, in any order, until a majority has it.
// setting: -DN=3 order 6
// setting: -DN=4 order 24
bool has[N]; byte n; bool ok;
active proctype writer() {
  byte i;
  do
  :: atomic { !ok && 2 * n <= N -> select (i : 0 .. N-1); if :: !has[i] -> has[i] = true; n++ :: has[i] fi; i = 0 }
  :: 2 * n > N && !ok -> ok = true
  :: atomic { ok -> ok = false; n = 0; for (i : 0 .. N-1) { has[i] = false } i = 0 }
  od
}
proctype replica(byte r) { bool lost; do :: has[r] && !ok && !lost -> lost = true :: lost && ok -> lost = false od }
init { atomic { byte k; do :: k == N -> break :: else -> run replica(k); k++ od } }
