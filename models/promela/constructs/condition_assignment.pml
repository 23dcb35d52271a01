/*
 * A choice whose alternatives are assignments and expressions; all that can go are explored.
 *
 * expect: plain 10 states 10 transitions; default 10 states 10 transitions; safety holds
 */

byte x;

active proctype p()
{
	if
	:: x = 1
	:: x = 2
	:: x == 0
	:: x == 1
	:: false
	fi;
	assert(x <= 2)
}
