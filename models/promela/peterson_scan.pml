/*
 * Peterson's mutual exclusion for N users without an atomic test: a user looks at the others one
 * by one, in any order, and remembers in `checked` whom it has looked at.
 * After A. F. Donaldson (2007), appendix A; his counts are 291 and 75356 for 2 and 3 users
 * (by default).
 *
 * symmetry: S_N on the users; `checked` is a set of users in each user
 *
 * expect: -D N=2 plain 311 states 686 transitions; default 291 states 644 transitions; safety holds
 * expect: -D N=3 plain 82958 states 445673 transitions; default 75356 states 409727 transitions; safety holds
 */

#ifndef N
#define N 2
#endif

byte flag[N + 1];
pid turn[N];
byte n_critical;

#define PASTE(a, b) a ## b
#define NAMED(a, n) PASTE(a, n)

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
#define ALL(p) NAMED(ALL, N)(p)

#define EACH2(p) p(1) p(2)
#define EACH3(p) EACH2(p) p(3)
#define EACH4(p) EACH3(p) p(4)
#define EACH5(p) EACH4(p) p(5)
#define EACH6(p) EACH5(p) p(6)
#define EACH7(p) EACH6(p) p(7)
#define EACH8(p) EACH7(p) p(8)
#define EACH9(p) EACH8(p) p(9)
#define EACH10(p) EACH9(p) p(10)
#define EACH11(p) EACH10(p) p(11)
#define EACH12(p) EACH11(p) p(12)
#define EACH(p) NAMED(EACH, N)(p)

#define CHECKED(j) checked[j]
#define CLEAR(j) :: checked[j] -> checked[j] = false
#define LOOK(j) :: d_step { !checked[j] -> ok = (ok && flag[j] < k); checked[j] = true }

proctype user()
{
	byte k;
	bool ok;
	bool checked[N + 1];

	do
	:: k = 1;
		do
		:: k < N ->
			flag[_pid] = k;
			turn[k] = _pid;
again:			atomic { ok = true; checked[_pid] = true };
			do
			:: (!ok || ALL(CHECKED)) ->
				atomic {
					do
					EACH(CLEAR)
					:: else -> break
					od
				};
				break
			EACH(LOOK)
			od;
			atomic {
				if
				:: ok || turn[k] != _pid -> ok = false
				:: else -> ok = false; goto again
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
