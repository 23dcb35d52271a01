/*
 * After a failed assertion pan (with -c0) goes on from the state behind it.
 *
 * expect: plain 6 states 6 transitions 2 errors; default 6 states 6 transitions 2 errors; safety violated (assertion)
 */

byte x;

active proctype p()
{
	assert(x == 1);
	x = 5;
	assert(x == 6);
	x = 7
}
