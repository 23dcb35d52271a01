/*
 * N processes in a ring, of which the one with the token may go in; it hands the token on when it
 * leaves. Anyone may have it first.
 * After A. Miller, A. Donaldson and M. Calder (2006), figure 1.
 *
 * symmetry: the rotations, C_N: a swap would hand the token to somebody else. n 3 2^(n-1) states in
 * 3 2^(n-1) orbits, and the one before the processes run
 *
 * orbits: -D N=3 full 37 orbits 13 group C3
 * orbits: -D N=4 full 97 orbits 25 group C4
 * orbits: -D N=5 full 241 orbits 49 group C5
 * orbits: -D N=6 full 577 orbits 97 group C6
 */

#ifndef N
#define N 3
#endif

byte tok;
byte st[N + 1];	/* 0 neutral, 1 trying, 2 critical */

proctype p()
{
	do
	:: atomic { st[_pid] == 0 -> st[_pid] = 1 }
	:: atomic { st[_pid] == 1 && tok == _pid -> st[_pid] = 2 }
	:: atomic { st[_pid] == 2 -> st[_pid] = 0; tok = tok % N + 1 }
	od
}

init {
	byte i;

	atomic {
		for (i : 1 .. N) {
			run p()
		}
		select (tok : 1 .. N)
	}
}
