/*
 * Peterson's lock for N processes, as it is written in programs: a process goes through N - 1
 * levels and looks at the others one by one before it leaves a level; no test is atomic.
 * After G. L. Peterson, "Myths about the mutual exclusion problem" (1981).
 *
 * symmetry: none is found, since others are looked at in the order of their numbers
 *
 * expect: -D N=2 plain 512 states 993 transitions; default 415 states 799 transitions; safety holds
 * expect: -D N=3 plain 56225 states 160072 transitions; default 43162 states 122129 transitions; safety holds
 * expect: -D N=3 -D ONCE plain 22246 states 59550 transitions; default 18901 states 50246 transitions; safety holds
 * bench: -D N=4 -D ONCE plain 2534996 states 9151853 transitions; default not measured; safety holds
 */

#ifndef N
#define N 3
#endif
#ifdef ONCE
#define AGAIN 0; break
#else
#define AGAIN 0
#endif

byte level[N];		/* 0: not interested */
byte last[N];		/* by level: who came last */
byte n_critical;

active [N] proctype process()
{
	byte k, j;

	do
	:: k < N - 1 ->
		k++;
		level[_pid] = k;
		last[k] = _pid;
		j = 0;
		do
		:: j < N -> (j == _pid || level[j] < k || last[k] != _pid); j++
		:: else -> break
		od
	:: else ->
		n_critical++;
		assert(n_critical == 1);
		n_critical--;
		level[_pid] = 0;
		k = AGAIN
	od
}
