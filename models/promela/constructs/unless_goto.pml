/*
 * A jump out of the main part of an `unless` leaves the escape behind; a jump inside it does not.
 *
 * expect: plain 43 states 67 transitions; default 43 states 67 transitions; safety holds
 */

byte x, n;

active proctype p()
{
	{
		n = 0;
again:
		n++;
		if
		:: n < 3 -> goto again
		:: n >= 3 -> goto out
		fi
	} unless { x == 1 -> n = 10 };
out:
	n = n + 20;
	n = 0
}

active proctype q()
{
	x = 1
}
