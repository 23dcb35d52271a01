/*
 * `mutex_scalarset.pml` in ordinary Promela; N is the identity of nobody.
 *
 * symmetry: S_N on the users
 *
 * expect: -D N=2 plain 9 states 18 transitions; default 9 states 18 transitions; safety holds
 * expect: -D N=5 plain 113 states 562 transitions; default 113 states 562 transitions; safety holds
 * expect: -D N=3 -D SLOPPY plain 28 states 83 transitions 15 errors; default 28 states 83 transitions 15 errors; safety violated (assertion)
 * expect: -D N=10 plain 6145 states 61442 transitions; default 6145 states 61442 transitions; safety holds
 */

#ifndef N
#define N 5
#endif

mtype = { idle, trying, critical };
mtype st[N] = idle;

proctype user(byte me)
{
	byte j = N;
	bool free;
	byte n_critical;

	do
	:: d_step { st[me] == idle -> st[me] = trying }
	:: d_step {
		st[me] == trying ->
		free = true;
#ifndef SLOPPY
		for (j : 0 .. N - 1) {
			free = free && st[j] != critical
		}
#endif
		if
		:: free -> st[me] = critical
		:: else
		fi;
		free = false
	}
	:: d_step {
		st[me] == critical ->
		for (j : 0 .. N - 1) {
			if
			:: st[j] == critical -> n_critical++
			:: else
			fi
		};
		assert(n_critical == 1);
		n_critical = 0;
		st[me] = idle
	}
	od
}

init {
	byte i = N;

	atomic {
		for (i : 0 .. N - 1) {
			run user(i)
		}
	}
}
