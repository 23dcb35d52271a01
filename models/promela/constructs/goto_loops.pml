/*
 * Jumps backwards and into the middle of loops and choices.
 *
 * expect: plain 15 states 15 transitions; default 15 states 15 transitions; safety holds
 */

byte x;

active proctype p()
{
	goto middle;
	do
	:: x < 3 ->
		x = x + 1;
middle:
		x = x + 2
	:: x >= 3 -> break
	od;
	if
	:: x < 8 -> goto middle
	:: else
	fi;
	assert(x >= 8)
}
