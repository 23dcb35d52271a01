/*
 * `peterson_scalarset.pml` in ordinary Promela; N is the identity of nobody.
 *
 * symmetry: S_N on the users
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

#define PID byte

byte flag[N];
PID turn[N] = N;
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
