/*
 * An atomic block that never ends: pan goes round until its depth limit, since it stores no state
 * inside the block, and finds nothing. A checker should say that the block does not end.
 *
 * expect: plain 3 states 6 transitions (cut at the depth limit); default 3 states 6 transitions (cut at the depth limit); safety holds
 */

bit x;

active proctype p()
{
	atomic {
		do
		:: x = 1 - x
		od
	}
}

active proctype q()
{
	skip
}
