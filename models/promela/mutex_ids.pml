/*
 * The users of `mutex.pml` with identities from 0, passed as bytes, and an array without an unused
 * place; a user looks at the others in a loop inside one step.
 * After A. F. Donaldson (2007), the study of users' models. -D SLOPPY forgets the test.
 *
 * symmetry: S_N, once `id` is seen to name the users; a byte passed as data breaks it for tools
 * that know process numbers only
 *
 * expect: -D N=2 plain 9 states 18 transitions; default 9 states 18 transitions; safety holds
 * expect: -D N=5 plain 113 states 562 transitions; default 113 states 562 transitions; safety holds
 * expect: -D N=3 -D SLOPPY plain 28 states 83 transitions 18 errors; default 28 states 83 transitions 18 errors; safety violated (assertion)
 * expect: -D N=10 plain 6145 states 61442 transitions; default 6145 states 61442 transitions; safety holds
 */

#ifndef N
#define N 5
#endif

mtype = { idle, trying, critical };
mtype st[N] = idle;

/* `free` becomes true if nobody is in the critical section. */
inline look()
{
	free = true;
#ifndef SLOPPY
	for (j : 0 .. N - 1) {
		if
		:: st[j] == critical -> free = false
		:: else
		fi
	}
#endif
	j = 0
}

proctype user(byte id)
{
	byte j;
	bool free;

	do
	:: atomic { st[id] == idle -> st[id] = trying }
	:: atomic {
		st[id] == trying ->
		look();
		if
		:: free ->
			look();
			assert(free);
			st[id] = critical
		:: else
		fi;
		free = false
	}
	:: atomic {
		st[id] == critical ->
		st[id] = idle;
		for (j : 0 .. N - 1) {
			assert(st[j] != critical)
		};
		j = 0
	}
	od
}

init {
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run user(i)
		}
	}
}
