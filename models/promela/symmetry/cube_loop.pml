// A cube; a loop over dimensions goes to all neighbours.
// setting: -DD=2 -DN=4 order 8
// setting: -DD=3 -DN=8 order 48
bool up[N];
proctype node(byte id) {
  byte k, n;
  do
  :: d_step { n = 0; for (k : 0 .. D-1) { if :: up[id ^ (1 << k)] -> n++ :: else fi }
       if :: n == D -> up[id] = 0 :: else -> up[id] = 1 fi; n = 0; k = 0 }
  :: up[id] = 0
  od
}
init { atomic { byte j = 0; do :: j < N -> run node(j); j++ :: else -> break od } }
