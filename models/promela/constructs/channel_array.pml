/*
 * An array of channels, indexed by variables; each is a channel of its own.
 *
 * expect: plain 47 states 69 transitions 3 errors; default 47 states 69 transitions 3 errors; safety violated (array index, invalid end state)
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
	byte x = 7;

	c[1]?x;
	c[x - 1]?x;
	assert(x == 0)
}
