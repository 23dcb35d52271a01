/*
 * An atomic block makes its own escape possible: the block is interrupted in the middle, n is 11
 * and never 13.
 *
 * expect: plain 19 states 23 transitions 1 errors; default 19 states 23 transitions 1 errors; safety violated (invalid end state)
 */

byte x, n;

active proctype p()
{
	{ atomic { n = 1; x = 1; n = 2; n = 3 }; n = 4 } unless { x == 1 -> n = n + 10 };
	assert(n == 11 || n == 50 || n == 60)
}

active proctype q()
{
	n == 1;
	n = 50
}
