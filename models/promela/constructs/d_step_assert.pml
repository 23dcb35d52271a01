/*
 * A failing assertion inside a d_step.
 *
 * expect: plain 7 states 9 transitions 3 errors; default 7 states 9 transitions 3 errors; safety violated (assertion)
 */

byte x;

active [2] proctype p()
{
	d_step { x++; assert(x == 1); x = x * 2 }
}
