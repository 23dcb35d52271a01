/*
 * A loop inside an atomic block that waits for another process in every turn.
 *
 * expect: plain 7 states 7 transitions; default 7 states 7 transitions; safety holds
 */

byte turn, n;

active proctype p()
{
	atomic {
		do
		:: n < 2 -> turn == 0; n++; turn = 1
		:: n == 2 -> break
		od;
		n = 9
	}
}

active proctype q()
{
end:	do
	:: turn == 1 -> turn = 0
	od
}
