/*
 * Loops that nobody can go round in, as a condition of their own can never hold.
 *
 * expect: plain 6 states 8 transitions 1 errors; default 6 states 8 transitions 1 errors; safety violated (invalid end state)
 */

byte x;

active proctype p()
{
	S: false; goto S
}

active proctype q()
{
	do
	:: { false }
	:: x == 0 -> x = 1
	od
}

active proctype r()
{
	byte y;

	T: if
	:: 0 -> y = 1; goto T
	:: y == 0 -> atomic { false; y = 2 }; goto T
	fi
}
