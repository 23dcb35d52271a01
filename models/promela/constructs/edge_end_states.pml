/*
 * What counts as a valid end: every process at its end or at an end label. A process that
 * `provided` holds back is not at its end.
 *
 * expect: plain 2 states 2 transitions 1 errors; default 2 states 2 transitions 1 errors; safety violated (invalid end state)
 */

byte x;

active proctype p()
{
	x = 1;
end:
	x == 5
}

active proctype q() provided (x == 9)
{
	skip
}
