/*
 * By default spin merges steps that touch locals only into the step before.
 *
 * expect: plain 43 states 73 transitions; default 21 states 33 transitions; safety holds
 */

byte g;

active [2] proctype p()
{
	byte x, y;

	g++;
	x = 1;
	y = x + 1;
	x = y;
	g--
}
