/*
 * Two receivers in atomic blocks wait for one sender: each handshake is a step of its own for each
 * receiver, and the receiver's block goes on at once.
 *
 * expect: plain 15 states 17 transitions; default 15 states 17 transitions; safety holds
 */

chan c = [0] of { byte };
byte x;

active proctype p()
{
	c!1;
	x = x * 2;
	c!1
}

active [2] proctype q()
{
	atomic { c?1; x = x + 1 + _pid }
}
