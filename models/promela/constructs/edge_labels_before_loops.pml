/*
 * A block can begin with a labelled loop: a loop has a point before the labelled one. The same holds
 * of `for`, of `select` with a bound that is no number, and on both sides of `unless`.
 *
 * expect: plain 53 states 57 transitions; default 53 states 57 transitions; safety holds
 */

byte x, y, i;

active proctype p()
{
	atomic {
		A: do
		:: x < 2 -> x++
		:: else -> break
		od;
		y = 1
	}
	{
		B: for (i : 0 .. 1) { y++ };
		x = 3
	}
	{ C: select (i : 0 .. x); x = i } unless { D: do :: y == 9 -> break od };
	E: do :: x > 0 -> x-- :: x == 0 -> break od unless y == 9;
	if
	:: y == 3 -> y = 4; goto A
	:: y == 1 -> y = 8; goto B
	:: else
	fi
}
