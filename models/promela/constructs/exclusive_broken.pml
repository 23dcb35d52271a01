/*
 * `xr` and `xs` that are broken: two senders.
 *
 * expect: plain 13 states 14 transitions; default 13 states 14 transitions; safety holds
 */

chan c = [1] of { byte };
byte x;

active [2] proctype sender()
{
	xs c;

	c!_pid
}

active proctype receiver()
{
	xr c;

	c?x;
	c?x;
	x = 0
}
