/*
 * `skip`, `true` and `1` are steps; a label on them matters.
 *
 * expect: plain 31 states 51 transitions; default 31 states 51 transitions; safety holds
 */

byte x;

active proctype p()
{
	skip;
	true;
	1;
	(1);
	x = 1
}

active proctype q()
{
	skip;
here:
	skip;
	assert(!q@here)
}
