/*
 * A loop inside an atomic block that comes back to where it was: pan looks for the state after each
 * step outside only, so the loop must end by itself.
 *
 * expect: plain 4 states 5 transitions; default 4 states 5 transitions; safety holds
 */

bit x;
byte n;

active proctype p()
{
	do
	:: atomic { n < 3 -> n++; x = !x }
	:: atomic { n == 3 -> n = 0; x = 0 }
	od
}
