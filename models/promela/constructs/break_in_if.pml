/*
 * `break` inside a choice inside a loop; a choice without executable alternatives waits.
 *
 * expect: plain 21 states 28 transitions 2 errors; default 21 states 28 transitions 2 errors; safety violated (invalid end state)
 */

byte x;

active proctype p()
{
	do
	:: x++;
		if
		:: x == 2 -> break
		:: x == 1 -> skip
		:: x > 100 -> x = 0
		fi
	od;
	if
	:: x == 3 -> x = 10
	fi
}

active proctype q()
{
	x = 3
}
