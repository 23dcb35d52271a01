/*
 * `queue_lock.pml` in ordinary Promela.
 *
 * symmetry: S_N on the workers
 *
 * expect: -D N=2 plain 118 states 213 transitions; default 136 states 251 transitions; safety holds
 * expect: -D N=3 plain 2288 states 5971 transitions; default 2767 states 7348 transitions; safety holds
 * expect: -D N=2 -D HASTY plain 144 states 251 transitions 2 errors; default 162 states 289 transitions 2 errors; safety violated (invalid end state)
 */

#ifndef N
#define N 3
#endif
#define NONE 255

byte next[N] = NONE;
bool waits[N];
byte last = NONE;
byte n_inside;

active [N] proctype worker()
{
	byte before = NONE;

	do
	:: next[_pid] = NONE;
		atomic { before = last; last = _pid };
		if
		:: before == NONE
		:: else ->
#ifdef HASTY
			next[before] = _pid;
			waits[_pid] = true;
#else
			waits[_pid] = true;
			next[before] = _pid;
#endif
			!waits[_pid]
		fi;
		before = NONE;
		n_inside++;
		assert(n_inside == 1);
		n_inside--;
		if
		:: next[_pid] != NONE -> waits[next[_pid]] = false
		:: atomic { next[_pid] == NONE && last == _pid -> last = NONE }
		fi
	od
}
