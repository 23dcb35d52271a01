// Two-phase commit; participants take their number from _pid.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
// setting: -DN=4 order 24
mtype = { none, yes, no, commit, abort };
mtype vote[N] = none; mtype fate[N] = none; mtype decision = none;
active proctype coordinator() {
  byte i; bool all;
  do
  :: d_step { decision == none ->
       all = true; i = 0;
       do :: i == N -> break :: else -> all = all && (vote[i] == yes); i++ od;
       if :: all -> decision = commit :: else fi; all = 0; i = 0 }
  :: atomic { decision == none ->
       do :: i < N -> if :: vote[i] == no -> decision = abort :: else fi; i++ :: else -> break od; i = 0 }
  :: decision != none ->
       atomic { for (i : 0 .. N-1) { fate[i] = decision } i = 0 }
  od
}
active [N] proctype participant() {
  byte me = _pid - 1;
  do
  :: vote[me] == none -> if :: vote[me] = yes :: vote[me] = no fi
  :: fate[me] != none -> assert(fate[me] == abort || vote[me] == yes); vote[me] = no
  od
}
