/*
 * `?<..>` copies a message and leaves it.
 *
 * expect: plain 13 states 13 transitions; default 13 states 13 transitions; safety holds
 */

chan c = [2] of { byte, byte };
byte a, b;

active proctype p()
{
	c!1, 2;
	c!3, 4;
	c?<a, b>;
	assert(a == 1 && len(c) == 2);
	c?<eval(a), b>;
	c?a, b;
	c?<a, 4>;
	assert(a == 3 && b == 2);
	c?a, b;
	a = 0;
	b = 0
}
