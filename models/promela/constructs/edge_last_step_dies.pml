/*
 * The last step of a process and its death are two steps; between them others go on.
 *
 * expect: plain 6 states 6 transitions; default 6 states 6 transitions; safety holds
 */

byte x;

active proctype p()
{
	x = 1
}

active proctype q()
{
	x == 1;
	assert(_nr_pr == 2 || _nr_pr == 1)
}
