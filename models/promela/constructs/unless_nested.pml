/*
 * Nested `unless`: of two escapes that can both go, the inner one is tried first by default.
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
