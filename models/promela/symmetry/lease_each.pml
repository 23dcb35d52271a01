// Leases of their own for each resource; the manager reclaims all that are over.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
byte owner[2] = N; byte left[2];
proctype client(byte c) {
  byte r;
  do
  :: atomic { owner[0] == N -> owner[0] = c; left[0] = 1 }
  :: atomic { owner[1] == N -> owner[1] = c; left[1] = 2 }
  :: atomic { owner[0] == c -> owner[0] = N; left[0] = 0 }
  od
}
active proctype manager() {
  byte r;
  do
  :: d_step { for (r : 0 .. 1) { if :: left[r] > 0 -> left[r]-- :: else -> owner[r] = N fi } r = 0 }
  od
}
init { atomic { byte k = 0; do :: k == N -> break :: k != N -> run client(k); k++ od } }
