/*
 * `show` and `local` change nothing in what is explored.
 *
 * expect: plain 47 states 65 transitions; default 47 states 65 transitions; safety holds
 */

show byte s;
local byte l;

active [2] proctype p()
{
	show byte mine;

	mine = s;
	s = mine + 1;
	l = l + s
}
