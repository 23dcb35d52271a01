/*
 * N users share one critical section by looking at each other: a user enters when nobody is in.
 * The test and the entry are one step, so the exclusion holds.
 * After A. F. Donaldson (2007), chapter 2; his counts are 113, 6145, 278529 for 5, 10, 15 users.
 *
 * symmetry: S_N on the users; (N+2) 2^(N-1) + 1 states in 2N + 2 orbits, the first with init alone
 *
 * expect: -D N=2 plain 9 states 16 transitions; default 9 states 16 transitions; safety holds
 * expect: -D N=5 plain 113 states 402 transitions; default 113 states 402 transitions; safety holds
 * expect: -D N=10 plain 6145 states 38402 transitions; default 6145 states 38402 transitions; safety holds
 * expect: -D N=15 plain 278529 states 2457602 transitions; default 278529 states 2457602 transitions; safety holds
 * bench: -D N=18 plain 2621441 states 27131906 transitions; default 2621441 states 27131906 transitions; safety holds
 */

#ifndef N
#define N 5
#endif

mtype = { idle, trying, critical };
mtype st[N + 1] = idle;

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
#define ALL13(p) (ALL12(p) && p(13))
#define ALL14(p) (ALL13(p) && p(14))
#define ALL15(p) (ALL14(p) && p(15))
#define ALL16(p) (ALL15(p) && p(16))
#define ALL17(p) (ALL16(p) && p(17))
#define ALL18(p) (ALL17(p) && p(18))
#define ALL19(p) (ALL18(p) && p(19))
#define ALL20(p) (ALL19(p) && p(20))
#define ALL21(p) (ALL20(p) && p(21))
#define ALL22(p) (ALL21(p) && p(22))
#define ALL23(p) (ALL22(p) && p(23))
#define ALL24(p) (ALL23(p) && p(24))
#define ALL25(p) (ALL24(p) && p(25))
#define ALL26(p) (ALL25(p) && p(26))
#define ALL27(p) (ALL26(p) && p(27))
#define ALL28(p) (ALL27(p) && p(28))
#define ALL29(p) (ALL28(p) && p(29))
#define ALL30(p) (ALL29(p) && p(30))
#define ALL31(p) (ALL30(p) && p(31))
#define ALL32(p) (ALL31(p) && p(32))
#define ALL33(p) (ALL32(p) && p(33))
#define ALL34(p) (ALL33(p) && p(34))
#define ALL35(p) (ALL34(p) && p(35))
#define ALL36(p) (ALL35(p) && p(36))
#define ALL37(p) (ALL36(p) && p(37))
#define ALL38(p) (ALL37(p) && p(38))
#define ALL39(p) (ALL38(p) && p(39))
#define ALL40(p) (ALL39(p) && p(40))
#define PASTE(a, b) a ## b
#define ALL_OF(n) PASTE(ALL, n)
#define ALL(p) ALL_OF(N)(p)

#define OUTSIDE(i) (st[i] != critical)
#define ALONE(i) (_pid == i || st[i] != critical)

proctype user()
{
	do
	:: atomic { st[_pid] == idle -> st[_pid] = trying }
	:: atomic { st[_pid] == trying && ALL(OUTSIDE) -> st[_pid] = critical }
	:: atomic { st[_pid] == critical -> assert(ALL(ALONE)); st[_pid] = idle }
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
