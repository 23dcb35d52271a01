/*
 * Peterson's mutual exclusion for N users with identities from a scalarset: `flag` is indexed by
 * them, `turn` holds one of them, or none, for each level. The test of the others is a loop written
 * out as SymmSpin needs it.
 * After A. F. Donaldson (2007), appendix A.1.1; 11318 states without SPIN's optimisations for 3
 * users. -D RESET gives `j` back its first value after the test, as the text there does; by SPIN's
 * rules that costs states (6143, not 2636), since a variable at rest is 0 for SPIN.
 *
 * symmetry: S_N on the users
 * twin: peterson_scalarset_twin.pml
 *
 * expect: -D N=2 plain 263 states 526 transitions; default 117 states 234 transitions; safety holds
 * expect: -D N=3 plain 11318 states 33953 transitions; default 2636 states 7907 transitions; safety holds
 * expect: -D N=2 -D RESET plain 263 states 526 transitions; default 201 states 402 transitions; safety holds
 * expect: -D N=3 -D RESET plain 11318 states 33953 transitions; default 6143 states 18428 transitions; safety holds
 * expect: -D N=4 plain 542921 states 2171682 transitions; default 60577 states 242306 transitions; safety holds
 */

#ifndef N
#define N 3
#endif

scalarset PID[N];

byte flag[PID];
PID turn[N];
byte inside;

proctype user(PID me)
{
	PID j = N;
	byte k;
	bool ok;

	do
	:: k = 1;
		do
		:: k < N ->
			flag[me] = k;
			turn[k] = me;
again:			atomic {
				ok = true;
				j = 0;
				do
				:: j < N ->
					if
					:: j != me -> ok = ok && (flag[j] < k)
					:: else
					fi;
					j++
				:: else -> break
				od;
				if
				:: ok || turn[k] != me
				:: else ->
#ifdef RESET
					j = N;
#endif
					goto again
				fi;
#ifdef RESET
				j = N
#endif
			};
			k++
		:: else -> break
		od;
		atomic { inside++; assert(inside == 1) };
		inside--;
		flag[me] = 0
	od
}

init {
	PID i = N;

	atomic {
		i = 0;
		do
		:: i == N -> break
		:: i < N -> run user(i); i++
		od
	}
}
