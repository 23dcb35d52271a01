/*
 * `np_`: true where no process is at a progress label; here in a never claim.
 *
 * expect: plain 7 states 9 transitions; default 7 states 9 transitions; safety holds
 * claim: plain 13 states 28 transitions 3 errors; default 13 states 28 transitions 3 errors; claim violated (acceptance cycle)
 * progress: plain 13 states 30 transitions 2 errors; default 13 states 30 transitions 2 errors; progress violated (non-progress cycle)
 */

byte x;

active proctype p()
{
	do
	:: x == 0 ->
progress:   x = 1
	:: x == 1 -> x = 0
	:: x == 0 -> x = 2
	:: x == 2 -> x = 0
	od
}

never {
	do
	:: true
	:: np_ -> goto accept
	od;
accept:
	do
	:: np_
	od
}
