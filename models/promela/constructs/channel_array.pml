/*
 * An array of channels, indexed by variables; each is a channel of its own.
 *
 * expect: plain 46 states 74 transitions; default 46 states 74 transitions; safety holds
 */

chan c[3] = [1] of { byte };
byte i;

active proctype p()
{
	do
	:: i < 3 -> c[i]!i; i++
	:: else -> break
	od;
	assert(len(c[0]) + len(c[1]) + len(c[2]) <= 3);
	c[2]?2
}

active proctype q()
{
	byte x = 7, y;

	c[1]?x;
	c[x - 1]?y;
	assert(y == 0)
}
