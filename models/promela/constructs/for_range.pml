/*
 * `for` over a range: the variable ends one after the last value; a range that turns out empty is
 * skipped; the bound is looked at in every turn.
 *
 * expect: plain 21 states 21 transitions; default 21 states 21 transitions; safety holds
 */

byte i, n, last = 2, start = 4;

active proctype p()
{
	for (i : 1 .. last) {
		n = n + i;
		if
		:: i == 1 && last == 2 -> last = 3
		:: else
		fi
	};
	assert(i == 4 && n == 6);
	for (i : start .. last) {
		n = 99
	};
	assert(i == 4 && n == 6)
}
