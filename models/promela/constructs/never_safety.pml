/*
 * A never claim that ends is an error of safety, with the claim compiled in.
 *
 * expect: plain 7 states 9 transitions; default 7 states 9 transitions; safety holds
 * claim: plain 8 states 9 transitions 5 errors; default 8 states 9 transitions 5 errors; claim violated (end state in claim reached)
 */

byte x;

active [2] proctype p()
{
	x++
}

never {
	do
	:: x < 2
	:: x == 2 -> break
	od
}
