/*
 * `for (i in a)` goes over the indices of an array.
 *
 * expect: plain 14 states 14 transitions; default 14 states 14 transitions; safety holds
 */

byte a[3] = { 5, 6, 7 };
byte i, n;

active proctype p()
{
	for (i in a) {
		n = n + a[i] * i
	};
	assert(n == 20)
}
