/*
 * Fields of a receive are stored from left to right, comparisons come before all of them.
 *
 * expect: plain 9 states 9 transitions; default 9 states 9 transitions; safety holds
 */

chan c = [2] of { byte, byte };
byte x = 1, a[4];

active proctype p()
{
	c!2, 1;
	c!3, 9;
	c?x, eval(x);
	assert(x == 2);
	c?x, a[x];
	assert((a[3] == 9 && a[2] == 0) || (a[2] == 9 && a[3] == 0));
	assert(a[3] == 9)
}
