/*
 * N workers meet at a barrier, round by round. No run goes on without all of them, so that each
 * comes to the barrier again and again without any fairness.
 *
 * symmetry: S_N on the workers
 *
 * expect: plain 14 states 25 transitions; default 14 states 25 transitions; safety holds
 *
 * live: round none holds, weak holds, strong holds
 * live: all_at_once none holds, weak holds, strong holds
 */
#ifndef N
#define N 3
#endif

byte n_there;
bool there[N], open;

active [N] proctype worker()
{
	do
	:: atomic { !open -> n_there++; there[_pid] = true; open = (n_there == N) };
	   atomic { open -> n_there--; there[_pid] = false; open = (n_there > 0) }
	od
}

ltl round { [] <> there[1] }
ltl all_at_once { [] <> (n_there == N) }
