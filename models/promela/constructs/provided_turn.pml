/*
 * `provided`: a process can take no step, its death included, unless the condition holds.
 *
 * expect: plain 7 states 7 transitions; default 7 states 7 transitions; safety holds
 */

byte turn, x;

active proctype p() provided (turn == 0)
{
	x++;
	x++;
	turn = 1;
	x = 10
}

active proctype q() provided (turn == 1)
{
	x++;
	turn = 0
}
