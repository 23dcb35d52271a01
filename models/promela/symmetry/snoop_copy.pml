// A snooping bus: a miss takes the value of the one that has it modified.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
mtype = { I, S, M };
mtype st[N] = I; bit val[N]; bit mem;
active [N] proctype cache() {
  byte i;
  do
  :: atomic { st[_pid] == I ->
       for (i : 0 .. N-1) { if :: st[i] == M -> mem = val[i]; st[i] = S :: else fi }
       val[_pid] = mem; st[_pid] = S; i = 0 }
  :: atomic { st[_pid] != M ->
       for (i : 0 .. N-1) { if :: st[i] == M -> mem = val[i] :: else fi; if :: i != _pid -> st[i] = I; val[i] = 0 :: else fi }
       val[_pid] = mem; st[_pid] = M; i = 0 }
  :: st[_pid] == M -> val[_pid] = 1
  :: atomic { st[_pid] == M -> mem = val[_pid]; st[_pid] = I; val[_pid] = 0 }
  :: atomic { st[_pid] == S -> st[_pid] = I; val[_pid] = 0 }
  od
}
