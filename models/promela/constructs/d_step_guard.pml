/*
 * A d_step whose first statement cannot go waits as a whole.
 *
 * expect: plain 18 states 23 transitions; default 18 states 23 transitions; safety holds
 */

byte x;

active proctype p()
{
	d_step { x == 1 -> x = 2; x = x + 1 };
	assert(x == 3 || x == 4)
}

active proctype q()
{
	x = 1;
	if
	:: x == 3 -> x = 4
	:: x == 1
	fi
}
