/*
 * A list shorter than its array: the rest gets the last value of the list; one value fills all.
 *
 * expect: plain 6 states 6 transitions; default 6 states 6 transitions; safety holds
 */

byte a[4] = { 7, 8 };
byte b[3] = 9;
byte c[3];

active proctype p()
{
	byte d[3] = { 1 };

	assert(a[0] == 7 && a[1] == 8);
	assert(a[2] == 8 && a[3] == 8);
	assert(b[0] == 9 && b[2] == 9 && c[1] == 0);
	assert(d[0] == 1 && d[2] == 1)
}

// warning 7:13: 4 elements get a list of 2 values
// warning 13:14: 3 elements get a list of 1 values
