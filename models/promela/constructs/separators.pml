/*
 * `if` inside `do` inside `if`, semicolons and arrows in all places where they may stand.
 *
 * expect: plain 10 states 10 transitions; default 10 states 10 transitions; safety holds
 */

byte x;

active proctype p()
{
	if
	:: x == 0 ->
		do
		:: x < 2; x++;
		:: x == 2 ->
			if
			:: true -> break;
			fi
		od;
	:: else; skip
	fi;
	x = 0;
}
