/*
 * `timeout` as an operand.
 *
 * expect: plain 11 states 11 transitions 1 errors; default 11 states 11 transitions 1 errors; safety violated (invalid end state)
 */

byte n;

active proctype p()
{
	(timeout && n == 1);
	n = 5
}

active proctype q()
{
	n = 1;
	(n == 5 || timeout) -> n = 7
}
