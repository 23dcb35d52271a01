/*
 * Election of a leader in a ring with messages in one direction: an active station compares the
 * numbers of its two active neighbours behind it and survives if the nearer one is the largest.
 * After D. Dolev, M. Klawe and M. Rodeh (1982). With -D ANY every arrangement of the numbers is
 * possible at the start; otherwise station i has the number (i * STRIDE) % N + 1.
 *
 * symmetry: with ANY the rotations C_N of stations with channels (numbers are compared by size and
 * do not move); trivial otherwise
 *
 * expect: -D N=3 plain 219 states 457 transitions; default 162 states 323 transitions; safety holds
 * expect: -D N=3 -D ANY plain 1309 states 2764 transitions; default 967 states 1960 transitions; safety holds
 * expect: -D N=5 plain 5695 states 20118 transitions; default 3394 states 11644 transitions; safety holds
 * expect: -D N=4 -D ANY plain 28399 states 79419 transitions; default 18847 states 50723 transitions; safety holds
 * bench: -D N=9 plain 4945875 states 31508782 transitions; default 1982308 states 12354017 transitions; safety holds
 */

#ifndef N
#define N 4
#endif
#ifndef STRIDE
#define STRIDE 1
#endif

mtype = { one, two, winner };
chan q[N] = [2] of { mtype, byte };
byte number[N];
byte n_leaders;

proctype station(chan in, out; byte me)
{
	byte max = number[me], near, far;
	bool active_still = true;

	out!one, max;
end:	do
	:: in?one, near ->
		if
		:: active_still && near != max -> out!two, near
		:: active_still && near == max ->
			assert(near == N);
			n_leaders++;
			assert(n_leaders == 1);
			out!winner, near
		:: else -> out!one, near
		fi
	:: in?two, far ->
		if
		:: active_still && near > far && near > max -> max = near; out!one, near
		:: active_still && !(near > far && near > max) -> active_still = false
		:: else -> out!two, far
		fi
	:: in?winner, near ->
		assert(near == N);
		if
		:: number[me] != near -> out!winner, near
		:: else
		fi;
		break
	od
}

init {
	byte i, j;

	atomic {
#ifdef ANY
		for (i : 1 .. N) {
			select (j : 0 .. N - 1);
			do
			:: number[j] != 0 -> j = (j + 1) % N
			:: else -> break
			od;
			number[j] = i
		};
		j = 0;
#else
		for (i : 0 .. N - 1) {
			number[i] = (i * STRIDE) % N + 1
		};
#endif
		for (i : 0 .. N - 1) {
			run station(q[i], q[(i + 1) % N], i)
		}
	}
}
