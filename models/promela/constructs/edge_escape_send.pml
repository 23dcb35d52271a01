/*
 * A send in the main part of an `unless` whose escape can go: the escape is taken.
 *
 * expect: plain 7 states 7 transitions; default 7 states 7 transitions; safety holds
 */

chan c = [0] of { byte };
byte x, n;

active proctype p()
{
	{ c!1 -> n = 1 } unless { x == 1 -> n = 2 }
}

active proctype q()
{
	x = 1;
	if
	:: c?1 -> n = n + 10
	:: n == 2
	fi
}
