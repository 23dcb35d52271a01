/*
 * A barrier for N workers. Who comes sets its flag; who finds all flags set opens the barrier by
 * taking all of them back, one after another in a single step; the others see theirs gone.
 * Nobody is two rounds ahead of another.
 *
 * symmetry: S_N on the workers with their flags and rounds, once the order in which the flags are
 * taken back is seen not to matter
 *
 * expect: -D N=2 plain 61 states 98 transitions; default 61 states 98 transitions; safety holds
 * expect: -D N=3 plain 253 states 578 transitions; default 253 states 578 transitions; safety holds
 * expect: -D N=4 plain 1021 states 3074 transitions; default 1021 states 3074 transitions; safety holds
 */

#ifndef N
#define N 3
#endif

bool here[N + 1];
byte round[N + 1];

#if N == 2
#define ALL (here[1] && here[2])
#define OPEN here[1] = false; here[2] = false
#define NEAR(i) (AHEAD(i, 1) && AHEAD(i, 2))
#elif N == 3
#define ALL (here[1] && here[2] && here[3])
#define OPEN here[1] = false; here[2] = false; here[3] = false
#define NEAR(i) (AHEAD(i, 1) && AHEAD(i, 2) && AHEAD(i, 3))
#else
#define ALL (here[1] && here[2] && here[3] && here[4])
#define OPEN here[1] = false; here[2] = false; here[3] = false; here[4] = false
#define NEAR(i) (AHEAD(i, 1) && AHEAD(i, 2) && AHEAD(i, 3) && AHEAD(i, 4))
#endif

/* Rounds are counted modulo 4: i is at most one round before or behind j. */
#define AHEAD(i, j) ((round[i] + 4 - round[j]) % 4 != 2)

proctype worker()
{
	do
	:: here[_pid] = true;
	   if
	   :: d_step { ALL -> OPEN }
	   :: !here[_pid]
	   fi;
	   atomic {
		round[_pid] = (round[_pid] + 1) % 4;
		assert(NEAR(_pid))
	   }
	od
}

init {
	atomic {
		byte i;
		for (i : 1 .. N) {
			run worker()
		}
		i = 0
	}
}
