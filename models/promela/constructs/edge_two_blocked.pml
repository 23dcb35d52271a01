/*
 * Two processes are blocked inside atomic blocks, and one step sets both free: either may be first,
 * and then runs to the end of its block.
 *
 * expect: plain 38 states 57 transitions; default 38 states 57 transitions; safety holds
 */

byte x;
int log;

active [2] proctype p()
{
	atomic { log = 10 * log + 1; x == 1; log = 10 * log + 2 + _pid; log = 10 * log + 4 + _pid }
}

active proctype q()
{
	x = 1
}
