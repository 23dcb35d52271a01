/*
 * Acceptance labels: a cycle through one is found with pan -a. Safety alone does not see it.
 *
 * expect: plain 8 states 9 transitions; default 8 states 9 transitions; safety holds
 * claim: plain 8 states 9 transitions 2 errors; default 8 states 9 transitions 2 errors; claim violated (acceptance cycle)
 */

byte x;

active proctype p()
{
	do
	:: x < 2 -> x++
	:: x == 2 ->
accept:	 x = 0
	:: x == 1 -> break
	od
}
