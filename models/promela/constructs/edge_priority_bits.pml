/*
 * Priorities beside variables of a few bits, which pan packs with the priority. Compiled without
 * -DNOCOMP it leaves the end of the record out of its comparison: 4 states, and no error.
 *
 * expect: plain 6 states 7 transitions 1 errors; default 4 states 5 transitions 1 errors; safety violated (assertion)
 */

active proctype chooses() priority 2
{
	bit x;

	if
	:: x = 0
	:: x = 1
	fi;
	assert(x == 0)
}
