// One target gets another value: the others are interchangeable; if there is one, with the values.
// setting: -DN=2 order 2
// setting: -DN=3 order 2
byte v[N];
active proctype boss() {
  byte i;
  do :: atomic { i = 0; do :: i < N -> if :: i == 0 -> v[i] = 2 :: else -> v[i] = 1 fi; i++ :: else -> break od; i = 0 } od
}
proctype w(byte k) { do :: v[k] != 0 -> v[k] = 0 od }
init { atomic { byte k; for (k : 0 .. N-1) { run w(k) } } }
