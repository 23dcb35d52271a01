/*
 * `select` inside an atomic block, with a range that has one value and with variable bounds.
 *
 * expect: plain 6 states 8 transitions; default 6 states 8 transitions; safety holds
 */

byte x, low = 3, high = 5;

active proctype p()
{
	atomic {
		select (x : 4 .. 4);
		assert(x == 4);
		select (x : low .. high)
	};
	x = 0
}
