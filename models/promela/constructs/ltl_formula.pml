/*
 * A formula; the claim is made from its negation.
 *
 * expect: plain 8 states 10 transitions; default 8 states 10 transitions; safety holds
 * claim: plain 14 states 30 transitions 2 errors; default 14 states 30 transitions 2 errors; claim violated (acceptance cycle)
 */

byte x;

active proctype p()
{
	do
	:: x < 2 -> x++
	:: x == 2 -> x = 0
	:: x == 1 -> x = 3
	:: x == 3
	od
}

ltl always_again { [] <> (x == 0) }
