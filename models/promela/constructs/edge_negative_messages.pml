/*
 * Negative constants in messages, and mtype 0.
 *
 * expect: plain 8 states 8 transitions; default 8 states 8 transitions; safety holds
 */

chan c = [2] of { short, int };
mtype = { one };
mtype m;

active proctype p()
{
	c!-1, -2;
	assert(c?[-1, -2]);
	c?-1, -2;
	assert(m == 0);
	m = one;
	m = 0
}
