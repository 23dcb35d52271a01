/*
 * `!!` puts a message before the first one that is larger, field by field.
 *
 * expect: plain 12 states 12 transitions; default 12 states 12 transitions; safety holds
 */

chan c = [4] of { byte, byte };
byte a, b;

active proctype p()
{
	c!!2, 5;
	c!!1, 9;
	c!!2, 3;
	c!!2, 5;
	c?a, b;
	assert(a == 1 && b == 9);
	c?a, b;
	assert(a == 2 && b == 3);
	c?2, 5;
	c?2, 5
}
