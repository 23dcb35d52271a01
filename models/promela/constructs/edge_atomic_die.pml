/*
 * A process dies while another holds an atomic block that is blocked: deaths come between.
 *
 * expect: plain 22 states 34 transitions; default 22 states 34 transitions; safety holds
 */

byte x;

active proctype p()
{
	atomic { x = 1; x == 2; x = 3 };
	x = 4
}

active proctype q()
{
	x == 1 -> x = 2
}

active proctype r()
{
	skip
}
