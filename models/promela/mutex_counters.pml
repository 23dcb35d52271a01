/*
 * The users of `mutex.pml` as counters: how many are idle, trying, critical. One process stands
 * for all, so that each state is an orbit of the original.
 * After A. F. Donaldson (2007), chapter 3: 2N + 1 states, one more with SPIN's start.
 *
 * symmetry: none is left; the counts equal the orbits of `mutex.pml`
 *
 * expect: -D N=5 plain 12 states 21 transitions; default 12 states 21 transitions; safety holds
 * expect: -D N=20 plain 42 states 81 transitions; default 42 states 81 transitions; safety holds
 */

#ifndef N
#define N 5
#endif

byte n_idle, n_trying, n_critical;

proctype users()
{
	do
	:: atomic { n_idle > 0 -> n_idle--; n_trying++ }
	:: atomic { n_trying > 0 && n_critical == 0 -> n_trying--; n_critical++ }
	:: atomic { n_critical > 0 -> assert(n_critical == 1); n_critical--; n_idle++ }
	od
}

init {
	atomic { n_idle = N; run users() }
}
