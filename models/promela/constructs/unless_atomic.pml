/*
 * `unless` around an atomic block: the escape can interrupt only where the block can lose control,
 * and before it starts.
 *
 * expect: plain 24 states 33 transitions; default 24 states 33 transitions; safety holds
 */

byte x, n;

active proctype p()
{
	{ atomic { n++; n++; x == 1; n++ } } unless { x == 2 -> n = 10 };
	n = n + 20
}

active proctype q()
{
	x = 1;
	x = 2
}
