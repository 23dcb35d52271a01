/*
 * What SPIN does not see: after the choice there are two states that differ in a hidden variable
 * only; it goes on from the first. The assertion is false in the other.
 *
 * expect: plain 6 states 7 transitions; default 6 states 7 transitions; safety holds
 */

hidden byte h;
byte g;

active proctype p()
{
	if
	:: h = 1
	:: h = 2
	fi;
	g = 1;
	g = h;
	assert(g == 1)
}
