/*
 * A lock whose waiting processes form a list: each knows who comes after it, and hands the lock on.
 * A process that comes makes itself the last one and, if there was another, tells it so and waits.
 * After J. M. Mellor-Crummey and M. L. Scott (1991). -D HASTY lets a process say that it is
 * there before it waits, so that it can miss its turn.
 *
 * symmetry: S_N on the workers
 * twin: queue_lock_twin.pml
 *
 * expect: -D N=2 plain 118 states 213 transitions; default 136 states 251 transitions; safety holds
 * expect: -D N=3 plain 2288 states 5971 transitions; default 2767 states 7348 transitions; safety holds
 * expect: -D N=2 -D HASTY plain 144 states 251 transitions 2 errors; default 162 states 289 transitions 2 errors; safety violated (invalid end state)
 */

#ifndef N
#define N 3
#endif

ref worker last;
byte n_inside;

active [N] proctype worker()
{
	public ref worker next;
	public bool waits;
	ref worker before;

	do
	:: next = _undef_ref;
		atomic { before = last; last = _lid };
		if
		:: before == _undef_ref
		:: else ->
#ifdef HASTY
			worker[before].next = _lid;
			waits = true;
#else
			waits = true;
			worker[before].next = _lid;
#endif
			!waits
		fi;
		before = _undef_ref;
		n_inside++;
		assert(n_inside == 1);
		n_inside--;
		if
		:: next != _undef_ref -> worker[worker[_lid].next].waits = false
		:: atomic { next == _undef_ref && last == _lid -> last = _undef_ref }
		fi
	od
}
