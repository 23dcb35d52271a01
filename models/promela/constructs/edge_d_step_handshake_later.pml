/*
 * A rendezvous that is not the first statement of a d_step: pan says that it blocks.
 *
 * expect: plain 1 states 1 transitions 1 errors; default 1 states 1 transitions 1 errors; safety violated (rv-attempt in d_step)
 */

chan c = [0] of { byte };
byte x;

active proctype p()
{
	d_step { x = 1; c!1; x = 2 }
}

active proctype q()
{
	c?1
}
