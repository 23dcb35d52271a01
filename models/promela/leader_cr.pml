/*
 * Election of a leader in a ring: every station sends its number on, and passes on only numbers
 * larger than its own; whose number comes back leads.
 * After E. Chang and R. Roberts (1979). Every arrangement of the numbers is possible at the start.
 * -D TWICE gives the largest number to two stations, and both lead.
 *
 * symmetry: C_N, rotations of the stations with their channels
 *
 * expect: -D N=3 plain 1120 states 2542 transitions; default 1120 states 2542 transitions; safety holds
 * expect: -D N=3 -D TWICE plain 598 states 1414 transitions 36 errors; default 598 states 1414 transitions 36 errors; safety violated (assertion)
 * expect: -D N=4 plain 26513 states 79657 transitions; default 26513 states 79657 transitions; safety holds
 * expect: -D N=5 plain 789066 states 2955911 transitions; default 789066 states 2955911 transitions; safety holds
 * bench: -D N=6 plain 28058113 states 1.2595367e+08 transitions; default 28058113 states 1.2595367e+08 transitions; safety holds
 */

#ifndef N
#define N 3
#endif

chan q[N] = [N] of { byte };
byte number[N];
byte n_leaders;

#ifdef TWICE
#define NUMBER(i) (i == 1 -> N : i)
#else
#define NUMBER(i) i
#endif

proctype station(byte me)
{
	byte seen;

	q[(me + 1) % N]!number[me];
end:	do
	:: q[me]?seen ->
		if
		:: seen > number[me] -> q[(me + 1) % N]!seen
		:: seen == number[me] -> n_leaders++; assert(n_leaders == 1 && seen == N)
		:: seen < number[me]
		fi;
		seen = 0
	od
}

init {
	byte i, j;

	atomic {
		for (i : 1 .. N) {
			select (j : 0 .. N - 1);
			do
			:: number[j] != 0 -> j = (j + 1) % N
			:: else -> break
			od;
			number[j] = NUMBER(i)
		};
		j = 0;
		for (i : 0 .. N - 1) {
			run station(i)
		}
	}
}
