/*
 * N philosophers round a table, a fork between two neighbours; each takes the left fork, then the
 * right one, eats, and gives both back.
 * After E. W. Dijkstra (1965). By default all may hold the left fork and wait for ever; -D LEFTY
 * lets philosopher 0 begin with the right fork; -D BUTLER lets at most N - 1 sit down.
 *
 * symmetry: C_N, rotations of the philosophers with the forks; trivial with LEFTY
 *
 * expect: -D N=3 plain 63 states 122 transitions 1 errors; default 63 states 122 transitions 1 errors; safety violated (invalid end state)
 * expect: -D N=3 -D LEFTY plain 145 states 342 transitions; default 145 states 342 transitions; safety holds
 * expect: -D N=3 -D BUTLER plain 146 states 287 transitions; default 146 states 287 transitions; safety holds
 * expect: -D N=5 plain 1023 states 3322 transitions 1 errors; default 1023 states 3322 transitions 1 errors; safety violated (invalid end state)
 * expect: -D N=5 -D BUTLER plain 9362 states 35957 transitions; default 9362 states 35957 transitions; safety holds
 * expect: -D N=9 plain 262143 states 1533530 transitions 1 errors; default 262143 states 1533530 transitions 1 errors; safety violated (invalid end state)
 * bench: -D N=12 plain 16777217 states 1.3086228e+08 transitions 1 errors; default 16777217 states 1.3086228e+08 transitions 1 errors; safety violated (invalid end state)
 */

#ifndef N
#define N 3
#endif

bool taken[N];
byte n_eating;
#ifdef BUTLER
byte n_seated;
#endif

#define TAKE(i) atomic { !taken[i] -> taken[i] = true }

proctype philosopher(byte me)
{
	byte first = me, second = (me + 1) % N;

#ifdef LEFTY
	d_step {
		if
		:: me == 0 -> first = 1; second = 0
		:: else
		fi
	};
#endif
	do
	::
#ifdef BUTLER
		atomic { n_seated < N - 1 -> n_seated++ };
#endif
		TAKE(first);
		TAKE(second);
		n_eating++;
		assert(n_eating <= N / 2);
		n_eating--;
		taken[second] = false;
		taken[first] = false;
#ifdef BUTLER
		n_seated--
#endif
	od
}

init {
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run philosopher(i)
		}
	}
}
