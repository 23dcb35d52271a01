/*
 * `else` as the first statement of a d_step's choice, and a d_step as an alternative beside `else`.
 *
 * expect: plain 6 states 6 transitions; default 6 states 6 transitions; safety holds
 */

byte x;

active proctype p()
{
	do
	:: d_step {
		if
		:: x == 0 -> x = 1
		:: x == 1 -> x = 2
		fi
	}
	:: else -> break
	od;
	assert(x == 2)
}
