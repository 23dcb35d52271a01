/*
 * A failing assertion inside an atomic block: pan counts the error and goes on.
 *
 * expect: plain 7 states 9 transitions 6 errors; default 7 states 9 transitions 6 errors; safety violated (assertion)
 */

byte x;

active [2] proctype p()
{
	atomic {
		x++;
		assert(x == 1);
		x++;
		assert(x < 3)
	}
}
