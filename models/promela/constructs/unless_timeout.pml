/*
 * `timeout` as an escape.
 *
 * expect: plain 16 states 19 transitions; default 16 states 19 transitions; safety holds
 */

byte n;

active proctype p()
{
	{ n == 5 -> n = 1 } unless { timeout -> n = 2 };
	assert(n == 2 || n == 1)
}

active proctype q()
{
	if
	:: n = 5
	:: skip
	fi
}
