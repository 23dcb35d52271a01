// A scan in steps that others see: no symmetry.
// setting: -DN=3 order 1
bool f[N]; byte n;
active proctype boss() { byte i, c; do :: i < N -> c = c + f[i]; i++ :: i == N -> n = c; c = 0; i = 0 od }
proctype p(byte id) { do :: f[id] = !f[id] od }
init { atomic { byte k; for (k : 0 .. N-1) { run p(k) } } }
