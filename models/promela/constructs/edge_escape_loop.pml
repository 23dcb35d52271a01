/*
 * An escape inside a loop, with a `break` in it; the loop enters the `unless` again.
 *
 * expect: plain 31 states 46 transitions; default 19 states 28 transitions; safety holds
 */

byte x, n;

active proctype p()
{
	do
	:: { n = 1; n = 2 } unless {
		if
		:: x == 1 -> n = 3; x = 2
		:: x == 3 -> break
		fi
	}
	od;
	n = 9
}

active proctype q()
{
	x = 1;
	x == 2;
	x = 3
}
