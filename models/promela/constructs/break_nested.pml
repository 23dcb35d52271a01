/*
 * `break` leaves the innermost loop; a `goto` leaves more.
 *
 * expect: plain 31 states 31 transitions; default 31 states 31 transitions; safety holds
 */

byte i, j;

active proctype p()
{
	do
	:: i < 3 ->
		j = 0;
		do
		:: j < 2 -> j++
		:: j == 2 -> break
		:: i == 2 && j == 1 -> goto out
		od;
		i++
	:: i >= 3 -> break
	od;
out:
	assert(i >= 2)
}
