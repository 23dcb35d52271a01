/*
 * The users of `mutex.pml` with an identity each, from a scalarset: idle, trying, critical; a user
 * that tries looks at all others in a loop inside one step, and may find that it has to try again.
 * After A. F. Donaldson (2007), figure 3.3. -D SLOPPY forgets the test.
 *
 * symmetry: S_N on the users
 * twin: mutex_scalarset_twin.pml
 *
 * expect: -D N=2 plain 9 states 18 transitions; default 9 states 18 transitions; safety holds
 * expect: -D N=5 plain 113 states 562 transitions; default 113 states 562 transitions; safety holds
 * expect: -D N=3 -D SLOPPY plain 28 states 83 transitions 15 errors; default 28 states 83 transitions 15 errors; safety violated (assertion)
 * expect: -D N=10 plain 6145 states 61442 transitions; default 6145 states 61442 transitions; safety holds
 */

#ifndef N
#define N 5
#endif

scalarset id[N];

mtype = { idle, trying, critical };
mtype st[id] = idle;

proctype user(id me)
{
	id j;
	bool free;
	byte n_critical;

	do
	:: d_step { st[me] == idle -> st[me] = trying }
	:: d_step {
		st[me] == trying ->
		free = true;
#ifndef SLOPPY
		for (j in id) {
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
		for (j in st) {
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
	id i;

	atomic {
		for (i in id) {
			run user(i)
		}
	}
}
