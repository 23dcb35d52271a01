/*
 * `matching.pml` in ordinary Promela.
 *
 * symmetry: S_N on the clients and S_N on the servers
 *
 * expect: -D N=2 plain 63 states 307 transitions; default 63 states 307 transitions; safety holds
 * expect: -D N=3 plain 918 states 7615 transitions; default 918 states 7615 transitions; safety holds
 * expect: -D N=3 -D LAST plain 918 states 7615 transitions; default 918 states 7615 transitions; safety holds
 * expect: -D N=4 plain 16929 states 206389 transitions; default 16929 states 206389 transitions; safety holds
 * expect: -D N=5 plain 375678 states 6191641 transitions; default 375678 states 6191641 transitions; safety holds
 */

#ifndef N
#define N 3
#endif
#define NONE 255

bool taken[N];

active [N] proctype client()
{
	byte to = NONE;
	byte mode;

	do
	:: atomic { assert(mode < 3); mode = (mode + 1) % 3 }
	:: atomic {
		to == NONE ->
		if
		:: to = 0
#if N > 1
		:: to = 1
#endif
#if N > 2
		:: to = 2
#endif
#if N > 3
		:: to = 3
#endif
#if N > 4
		:: to = 4
#endif
		fi;
		if
		:: !taken[to] -> taken[to] = true
		:: else -> to = NONE
		fi
	}
	:: atomic {
		to != NONE ->
		assert(taken[to]);
		taken[to] = false;
		to = NONE
	}
	od
}

active [N] proctype server()
{
end:	false
}
