/*
 * `else` in an escape, and an escape that is a choice: the escape can go if one of its alternatives
 * can.
 *
 * expect: plain 48 states 70 transitions; default 48 states 70 transitions; safety holds
 */

byte x, n;

active proctype p()
{
	{ n = 1; n = 2; n = 3 } unless {
		if
		:: x == 1 -> n = 11
		:: x == 2 -> n = 12
		fi
	};
	assert(n == 3 || n == 11 || n == 12)
}

active proctype q()
{
	x = 1;
	x = 2
}
