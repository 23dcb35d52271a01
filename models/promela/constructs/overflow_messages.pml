/*
 * Fields of messages are cut to the field's type when they are sent.
 *
 * expect: plain 6 states 6 transitions; default 6 states 6 transitions; safety holds
 */

chan c = [2] of { byte, bit, short, bool };
int a, b, d, e;

active proctype p()
{
	c!300, 3, 70000, 2;
	c?a, b, d, e;
	assert(a == 44 && b == 1 && d == 4464);
	assert(e == 0)
}

// warning 12:4: 300 does not fit; 44 is what is left of it
// warning 12:9: 3 does not fit; 1 is what is left of it
// warning 12:12: 70000 does not fit; 4464 is what is left of it
// warning 12:19: 2 does not fit; 0 is what is left of it
