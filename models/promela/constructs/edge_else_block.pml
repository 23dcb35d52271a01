/*
 * `else` beside alternatives that begin with atomic, d_step and braces: it looks at their first
 * statements.
 *
 * expect: plain 8 states 8 transitions; default 8 states 8 transitions; safety holds
 */

byte x;

active proctype p()
{
	do
	:: atomic { x == 0 -> x = 1 }
	:: d_step { x == 1 -> x = 2 }
	:: { x == 2 -> x = 3 }
	:: else -> break
	od;
	assert(x == 3)
}
