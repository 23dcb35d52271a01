/*
 * `provided` and atomic: the condition is looked at before each step inside the block too, and the
 * block loses control when it fails.
 *
 * expect: plain 11 states 13 transitions; default 11 states 13 transitions; safety holds
 */

byte turn, x;

active proctype p() provided (turn == 0)
{
	atomic { x = 1; turn = 1; x = 2; x = 3 };
	assert(x == 3)
}

active proctype q()
{
	turn == 1;
	x = x + 10;
	turn = 0
}
