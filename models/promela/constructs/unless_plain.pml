/*
 * `unless`: before each statement of the main part the escape is tried first; once it can go, the
 * main part is left. It is not an exception after the end of the main part.
 *
 * expect: plain 27 states 38 transitions; default 27 states 38 transitions; safety holds
 */

byte x, n;

active proctype p()
{
	{ n++; n++; n++ } unless { x == 1 -> n = 10 };
	n = n + 20
}

active proctype q()
{
	x = 1
}
