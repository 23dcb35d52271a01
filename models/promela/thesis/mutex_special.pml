/*
 * Mutual exclusion by looking at each other, in which one statement is for the first user alone:
 * that its condition is never true is hard to see from the text, so the user is told apart.
 * After A. F. Donaldson (2007), section 2.6.
 *
 * symmetry: the other users, S_(N-1); without the statement S_N. (N+2) 2^(N-1) + 1 states in
 * 5N - 1 orbits, the one before the users run among them
 *
 * orbits: -D N=4 full 49 orbits 19 group S3
 * orbits: -D N=5 full 113 orbits 24 group S4
 */

#ifndef N
#define N 4
#endif

byte st[N + 1];	/* 0 idle, 1 trying, 2 critical */
byte n_in;
bool special;

proctype user()
{
	do
	:: atomic { st[_pid] == 0 -> st[_pid] = 1 }
	:: atomic { st[_pid] == 1 && n_in == 0 -> st[_pid] = 2; n_in++ }
	:: atomic { st[_pid] == 2 -> st[_pid] = 0; n_in-- }
	:: atomic { _pid == 1 && n_in == 2 -> special = true }
	od
}

init {
	byte i;

	atomic {
		for (i : 1 .. N) {
			run user()
		}
	}
}
