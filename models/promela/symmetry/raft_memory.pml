// An election in shared memory; votes are counted by going through all.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
// setting: -DN=4 order 24
byte vote[N] = N; bool up[N]; byte boss = N;
active [N] proctype server() {
  byte k, n;
  do
  :: up[_pid] = !up[_pid]
  :: atomic { up[_pid] && vote[_pid] == N -> k = 0;
     pick: if :: k < N-1 -> k++; goto pick :: true -> vote[_pid] = k fi; k = 0 }
  :: d_step { up[_pid] && boss == N ->
     n = 0; k = 0;
     more: if :: k < N -> if :: vote[k] == _pid -> n++ :: else fi; k++; goto more :: else fi;
     if :: n * 2 > N -> boss = _pid :: else fi;
     n = 0; k = 0 }
  :: d_step { boss == _pid && !up[_pid] -> boss = N;
     for (k : 0 .. N-1) { vote[k] = N } k = 0 }
  od
}
