/*
 * `select` chooses a value of a range; it is a loop in which each value is a few steps away.
 *
 * expect: plain 13 states 13 transitions; default 13 states 13 transitions; safety holds
 */

byte x;

active proctype p()
{
	select (x : 2 .. 5);
	assert(x >= 2 && x <= 5)
}
