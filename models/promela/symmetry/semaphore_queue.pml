// A semaphore with a queue of those who wait.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
chan wait = [N] of { byte }; byte free = 1; bool in[N];
active [N] proctype p() {
  byte h;
  do
  :: if
     :: atomic { free > 0 -> free--; in[_pid] = true }
     :: atomic { free == 0 -> wait!_pid }; in[_pid]
     fi;
     atomic { in[_pid] = false; if :: wait?h -> in[h] = true; h = 0 :: empty(wait) -> free++ fi }
  od
}
