/*
 * Two process types with a label of the same name: `p@l` is the label of p.
 *
 * expect: plain 19 states 25 transitions 4 errors; default 19 states 25 transitions 4 errors; safety violated (assertion, invalid end state)
 */

byte x;

active proctype p()
{
	x = 1;
here:
	x = 2
}

active proctype q()
{
here:
	x == 2;
	x = 3
}

active proctype watcher()
{
	p@here;
	assert(x == 1 && q@here)
}
