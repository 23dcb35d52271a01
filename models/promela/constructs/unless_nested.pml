/*
 * Nested `unless`: where both escapes can go, pan takes the outer one (spin's -J does not change
 * that).
 *
 * expect: plain 27 states 35 transitions; default 27 states 35 transitions; safety holds
 */

byte x, n;

active proctype p()
{
	{
		{ n++; n++ } unless { x == 2 -> n = n + 10; n = n + 1 }
	} unless { x == 2 -> n = n + 20 };
	assert(n == 2 || n == 20 || n == 21)
}

active proctype q()
{
	x = 2
}
