/*
 * Two processes wait for `timeout`: either may have it; the second gets it again when the first has
 * stopped.
 *
 * expect: plain 13 states 13 transitions; default 13 states 13 transitions; safety holds
 */

byte order;

active [2] proctype p()
{
	timeout;
	order = order * 4 + _pid + 1
}
