// A square torus; nodes know their row and column.
// setting: -DK=2 order 8
// setting: -DK=3 order 18
bool x[K*K];
proctype node(byte r; byte c) {
  do
  :: atomic { !x[r*K + c] && !x[r*K + (c + 1) % K] && !x[((r + 1) % K)*K + c] -> x[r*K + c] = 1 }
  :: x[r*K + c] -> x[r*K + c] = 0
  od
}
init { atomic { byte i, j; for (i : 0 .. K-1) { for (j : 0 .. K-1) { run node(i, j) } } } }
