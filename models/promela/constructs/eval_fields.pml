/*
 * `eval` makes a field be compared; a constant is compared anyway; a variable is set.
 *
 * expect: plain 10 states 11 transitions; default 10 states 11 transitions; safety holds
 */

chan c = [1] of { byte, byte };
byte x = 1, y;

active proctype p()
{
	if
	:: c!1, 5
	:: c!2, 6
	fi
}

active proctype q()
{
	if
	:: c?eval(x), y -> assert(y == 5)
	:: c?eval(x + 1), 6 -> y = 60
	fi;
	y = 0
}
