// As cube_loop; the loop goes by masks 1, 2, 4.
// setting: -DD=2 -DN=4 order 8
// setting: -DD=3 -DN=8 order 48
bool up[N];
active [N] proctype node() {
  byte m; bool any;
  do
  :: atomic { any = false; m = 1; do :: m < N -> any = any || up[_pid ^ m]; m = m * 2 :: else -> break od;
       up[_pid] = !any; any = 0; m = 0 }
  od
}
