// Neighbours on both sides count alike: reflections too.
// setting: -DN=3 order 6
// setting: -DN=4 order 8
bool on[N];
active [N] proctype node() {
  byte l, r;
  do
  :: d_step { l = _pid; r = _pid; r++; if :: r >= N -> r = 0 :: else fi; if :: l == 0 -> l = N - 1 :: else -> l-- fi;
       if :: on[l] + on[r] == 1 -> on[_pid] = 1 :: else -> on[_pid] = 0 fi; l = 0; r = 0 }
  :: on[_pid] = true
  od
}
