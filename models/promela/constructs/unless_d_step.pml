/*
 * `unless` around a d_step: it cannot be interrupted in the middle.
 *
 * expect: plain 6 states 6 transitions; default 6 states 6 transitions; safety holds
 */

byte x, n;

active proctype p()
{
	{ d_step { n = 1; x = 1; n = 2 }; n = 4 } unless { x == 1 -> n = n + 10 };
	assert(n == 12)
}
