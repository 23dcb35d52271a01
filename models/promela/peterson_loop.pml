/*
 * Peterson's mutual exclusion for N users whose test of the others is a loop inside one step, with
 * an identity passed to each user: the text that scalarset tools use.
 * After A. F. Donaldson (2007), appendix A; 11318 states without SPIN's optimisations and 6143
 * with them for 3 users.
 *
 * symmetry: S_N on the users, once `id` is seen to be a user's identity (a parameter)
 *
 * expect: -D N=2 plain 263 states 526 transitions; default 201 states 402 transitions; safety holds
 * expect: -D N=3 plain 11318 states 33953 transitions; default 6143 states 18428 transitions; safety holds
 * expect: -D N=4 plain 542921 states 2171682 transitions; default 191193 states 764770 transitions; safety holds
 */

#ifndef N
#define N 3
#endif

byte flag[N + 1];
byte turn[N];
byte n_critical;

proctype user(byte id)
{
	byte k, j = N;
	bool ok;

	do
	:: k = 1;
		do
		:: k < N ->
			flag[id] = k;
			turn[k] = id;
again:			atomic {
				ok = true;
				j = 1;
				do
				:: j <= N ->
					if
					:: j != id -> ok = (ok && flag[j] < k)
					:: else
					fi;
					j++
				:: else -> break
				od;
				j = N;
				if
				:: ok || turn[k] != id
				:: else -> goto again
				fi
			};
			k++
		:: else -> break
		od;
		atomic { n_critical++; assert(n_critical == 1) };
		n_critical--;
		flag[id] = 0
	od
}

init {
	byte i;

	atomic {
		for (i : 1 .. N) {
			run user(i)
		}
	}
}
