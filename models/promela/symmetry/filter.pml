// A filter lock; each level has its victim.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
byte level[N]; byte victim[N] = N;
active [N] proctype p() {
  byte i, l; bool blocked;
  do
  :: l < N - 1 -> atomic { l++; level[_pid] = l; victim[l] = _pid };
     do
     :: atomic { blocked = false;
          for (i : 0 .. N-1) { blocked = blocked || (i != _pid && level[i] >= l) }
          i = 0 };
        if :: !blocked || victim[l] != _pid -> blocked = false; break :: else -> blocked = false fi
     od
  :: l == N - 1 -> atomic { level[_pid] = 0; l = 0 }
  od
}
