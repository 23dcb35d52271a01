/*
 * Inside a d_step the first alternative that can go is taken, so that there is one outcome.
 *
 * expect: plain 13 states 19 transitions; default 13 states 19 transitions; safety holds
 */

byte x;

active [2] proctype p()
{
	byte i;

	d_step {
		if
		:: x < 5 -> x = x + 1
		:: x < 5 -> x = x + 2
		:: else -> x = 9
		fi;
		i = 0;
		do
		:: i < 3 -> i++
		:: else -> break
		od;
		x = x + i
	};
	i = 0
}
