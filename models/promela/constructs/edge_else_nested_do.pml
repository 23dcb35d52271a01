/*
 * `else` beside a loop: the loop's first alternatives count.
 *
 * expect: plain 25 states 32 transitions 2 errors; default 25 states 32 transitions 2 errors; safety violated (assertion)
 */

byte x;

active proctype p()
{
	if
	:: do
	   :: x == 1 -> x = 5; break
	   :: x == 2 -> x = 6
	   od
	:: else -> x = 9
	fi;
	assert(x == 5 || x == 9)
}

active proctype q()
{
	x = 1
}
