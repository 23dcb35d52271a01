/*
 * Work that would start processes, done by a pool of N sleepers instead: a master wakes any of
 * them with a job, which returns the result and sleeps again.
 * After A. F. Donaldson (2007), the guidelines for users.
 *
 * symmetry: S_N on the workers with their channels
 *
 * expect: -D N=2 plain 199 states 404 transitions; default 199 states 404 transitions; safety holds
 * expect: -D N=4 plain 2139 states 5916 transitions; default 2139 states 5916 transitions; safety holds
 * expect: -D N=7 plain 13146 states 39078 transitions; default 13146 states 39078 transitions; safety holds
 * bench: -D N=6 -D JOBS=6 plain 4925842 states 23817160 transitions; default 4925842 states 23817160 transitions; safety holds
 */

#ifndef N
#define N 3
#endif
#ifndef JOBS
#define JOBS 3
#endif

chan wake[N + 1] = [0] of { byte };
chan done = [0] of { pid, byte };
byte n_awake;

proctype worker()
{
	byte job;

end:	do
	:: wake[_pid]?job ->
		job = job * 2;
		done!_pid, job;
		job = 0
	od
}

proctype master()
{
	byte n_given, n_back, result;
	pid i, who;
	bool busy[N + 1];

	do
	:: atomic {
		n_given < JOBS && n_awake < N ->
		select (i : 1 .. N);
		do
		:: busy[i] -> i = (i % N) + 1
		:: else -> break
		od;
		n_given++;
		n_awake++;
		busy[i] = true;
		wake[i]!n_given;
		i = 0
	}
	:: atomic {
		done?who, result ->
		assert(busy[who] && result % 2 == 0 && result <= 2 * JOBS);
		busy[who] = false;
		n_awake--;
		n_back++;
		who = 0;
		result = 0
	}
	:: n_back == JOBS -> break
	od
}

init {
	byte i;

	atomic {
		for (i : 1 .. N) {
			run worker()
		}
		run master()
	}
}
