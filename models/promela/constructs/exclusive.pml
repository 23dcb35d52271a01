/*
 * `xr` and `xs`: promises that pan checks only where it uses them for partial-order reduction.
 *
 * expect: plain 8 states 8 transitions; default 8 states 8 transitions; safety holds
 */

chan c = [1] of { byte };
byte x;

active proctype sender()
{
	xs c;

	c!1;
	c!2
}

active proctype receiver()
{
	xr c;

	c?x;
	c?x;
	x = 0
}
