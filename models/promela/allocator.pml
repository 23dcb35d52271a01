/*
 * An allocator lends one resource to clients of three levels, the highest first: L0 clients of
 * level 0, L1 of level 1, L2 of level 2. With -D ALTERNATING there are L0 + L1 + L2 clients, two
 * of level 0, two of level 1, two of level 0 and so on.
 * After A. F. Donaldson (2007), chapter 5 and appendix A: 1921 states for 2/3/2.
 * His table of reductions belongs to another, unpublished variant (16768 states for 3-3).
 *
 * symmetry: S_L0 x S_L1 x S_L2 on the clients with their links; 2^(n-1) (4n + 2) + 1 states
 *
 * expect: -D L0=1 -D L1=1 -D L2=1 plain 57 states 117 transitions; default 57 states 117 transitions; safety holds
 * expect: -D L0=2 -D L1=3 -D L2=2 plain 1921 states 7798 transitions; default 1921 states 7798 transitions; safety holds
 * expect: -D L0=3 -D L1=4 -D L2=0 plain 1921 states 7886 transitions; default 1921 states 7886 transitions; safety holds
 * expect: -D L0=5 -D L1=5 -D L2=0 plain 21505 states 120402 transitions; default 21505 states 120402 transitions; safety holds
 * expect: -D L0=10 -D L1=0 -D L2=0 -D ALTERNATING plain 21505 states 120002 transitions; default 21505 states 120002 transitions; safety holds
 * expect: -D L0=4 -D L1=4 -D L2=4 plain 102401 states 672290 transitions; default 102401 states 672290 transitions; safety holds
 * bench: -D L0=6 -D L1=6 -D L2=4 plain 2162689 states 18493634 transitions; default 2162689 states 18493634 transitions; safety holds
 */

#ifndef L0
#define L0 2
#define L1 3
#define L2 2
#endif
#define N (L0 + L1 + L2)

mtype = { request, confirmation, finished };
chan link[N + 2] = [1] of { mtype };
chan none = [0] of { mtype };
pid holder;
byte priorities[N + 2];
hidden byte level;

#ifdef ALTERNATING
#define LEVEL(i) (((i - 1) / 2) % 2)
#else
#define LEVEL(i) ((i > L0) + (i > L0 + L1))
#endif

#define ASKS(i) (link[i]?[request])
#define TAKE(i) :: ASKS(i) && priorities[i] == level -> current = link[i]; break

proctype client(chan own)
{
	do
	:: own!request;
		atomic { own?confirmation; holder = _pid };
		atomic { assert(priorities[_pid] < 3); holder = 0; own!finished }
	od
}

proctype allocator()
{
	chan current = none;

	do
	:: atomic {
		(ASKS(1)
#if N > 1
		|| ASKS(2)
#endif
#if N > 2
		|| ASKS(3)
#endif
#if N > 3
		|| ASKS(4)
#endif
#if N > 4
		|| ASKS(5)
#endif
#if N > 5
		|| ASKS(6)
#endif
#if N > 6
		|| ASKS(7)
#endif
#if N > 7
		|| ASKS(8)
#endif
#if N > 8
		|| ASKS(9)
#endif
#if N > 9
		|| ASKS(10)
#endif
#if N > 10
		|| ASKS(11)
#endif
#if N > 11
		|| ASKS(12)
#endif
#if N > 12
		|| ASKS(13)
#endif
#if N > 13
		|| ASKS(14)
#endif
#if N > 14
		|| ASKS(15)
#endif
#if N > 15
		|| ASKS(16)
#endif
		);
		level = 2;
		do
		TAKE(1)
#if N > 1
		TAKE(2)
#endif
#if N > 2
		TAKE(3)
#endif
#if N > 3
		TAKE(4)
#endif
#if N > 4
		TAKE(5)
#endif
#if N > 5
		TAKE(6)
#endif
#if N > 6
		TAKE(7)
#endif
#if N > 7
		TAKE(8)
#endif
#if N > 8
		TAKE(9)
#endif
#if N > 9
		TAKE(10)
#endif
#if N > 10
		TAKE(11)
#endif
#if N > 11
		TAKE(12)
#endif
#if N > 12
		TAKE(13)
#endif
#if N > 13
		TAKE(14)
#endif
#if N > 14
		TAKE(15)
#endif
#if N > 15
		TAKE(16)
#endif
		:: else -> level--
		od;
		current?request
	};
	current!confirmation;
	d_step { current?finished; current = none }
	od
}

init {
	byte i;

	atomic {
		for (i : 1 .. N) {
			run client(link[i]);
			priorities[i] = LEVEL(i)
		}
		run allocator()
	}
}
