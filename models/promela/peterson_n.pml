/*
 * Peterson's mutual exclusion for N users: N - 1 waiting rooms, the last to enter each must wait.
 * A user tests all others in one step.
 * After A. F. Donaldson (2007), appendix A; his counts are 2636, 60577, 1557370 for 3, 4, 5 users
 * (by default) and 11318 for 3 users without SPIN's optimisations.
 *
 * symmetry: S_N on the users; `turn` holds users, `flag` and `turn` levels
 *
 * expect: -D N=2 plain 263 states 526 transitions; default 117 states 234 transitions; safety holds
 * expect: -D N=3 plain 11318 states 33953 transitions; default 2636 states 7907 transitions; safety holds
 * expect: -D N=4 plain 542921 states 2171682 transitions; default 60577 states 242306 transitions; safety holds
 * bench: -D N=5 plain 28413790 states 1.4206895e+08 transitions; default 1557370 states 7786847 transitions; safety holds
 */

#ifndef N
#define N 3
#endif

byte flag[N + 1];
pid turn[N];
byte n_critical;

#define ALL2(p) (p(1) && p(2))
#define ALL3(p) (ALL2(p) && p(3))
#define ALL4(p) (ALL3(p) && p(4))
#define ALL5(p) (ALL4(p) && p(5))
#define ALL6(p) (ALL5(p) && p(6))
#define ALL7(p) (ALL6(p) && p(7))
#define ALL8(p) (ALL7(p) && p(8))
#define ALL9(p) (ALL8(p) && p(9))
#define ALL10(p) (ALL9(p) && p(10))
#define ALL11(p) (ALL10(p) && p(11))
#define ALL12(p) (ALL11(p) && p(12))
#define PASTE(a, b) a ## b
#define ALL_OF(n) PASTE(ALL, n)
#define ALL(p) ALL_OF(N)(p)

#define BEHIND(j) (_pid == j || (_pid != j && flag[j] < k))

proctype user()
{
	byte k;
	bool ok;

	do
	:: k = 1;
		do
		:: k < N ->
			flag[_pid] = k;
			turn[k] = _pid;
again:			atomic {
				ok = ALL(BEHIND);
				if
				:: ok || turn[k] != _pid
				:: else -> goto again
				fi
			};
			k++
		:: else -> break
		od;
		atomic { n_critical++; assert(n_critical == 1) };
		n_critical--;
		flag[_pid] = 0
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
