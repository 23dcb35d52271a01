/*
 * Nested `unless` with different conditions: after the inner escape the outer one still watches.
 *
 * expect: plain 44 states 63 transitions; default 44 states 63 transitions; safety holds
 */

byte x, n;

active proctype p()
{
	{
		{ n++; n++ } unless { x >= 1 -> n = 10; n = n + 1 }
	} unless { x == 2 -> n = 20 };
	assert(n != 0)
}

active proctype q()
{
	x = 1;
	x = 2
}
