/*
 * `break` out of a loop from inside an atomic block: the block ends there.
 *
 * expect: plain 18 states 19 transitions 2 errors; default 18 states 19 transitions 2 errors; safety violated (invalid end state)
 */

byte x;

active proctype p()
{
	do
	:: atomic { x < 3 -> x++ }
	:: atomic { x == 2 -> x = 20; break }
	:: atomic { x == 3 -> break }
	od;
	x = x + 1
}

active proctype q()
{
	x == 20;
	x = 30
}
