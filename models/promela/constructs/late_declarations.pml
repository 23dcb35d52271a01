/*
 * A declaration after statements is a step: the variable gets its value, or 0 if none is given,
 * when control comes there.
 *
 * expect: plain 7 states 7 transitions; default 6 states 6 transitions; safety holds
 */

byte x = 1;

active proctype p()
{
	x = 5;
	byte y = x;
	byte z;
	assert(y == 5 && z == 0);
	x = y
}
