/*
 * `timeout` and `else` in one choice: `else` wins, since it can go.
 *
 * expect: plain 5 states 5 transitions; default 5 states 5 transitions; safety holds
 */

byte x;

active proctype p()
{
	if
	:: x == 5 -> x = 1
	:: timeout -> x = 2
	:: else -> x = 3
	fi;
	assert(x == 3)
}
