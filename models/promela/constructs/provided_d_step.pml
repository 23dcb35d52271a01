/*
 * `provided` and d_step: the condition is looked at before the d_step only.
 *
 * expect: plain 9 states 10 transitions; default 9 states 10 transitions; safety holds
 */

byte turn, x;

active proctype p() provided (turn == 0)
{
	d_step { x = 1; turn = 1; x = 2 };
	x = 3
}

active proctype q()
{
	turn == 1;
	x = x + 10;
	turn = 0
}
