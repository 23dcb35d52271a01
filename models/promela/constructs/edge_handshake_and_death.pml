/*
 * The receive is the last statement of the receiver, the send the last of the sender, inside atomic
 * blocks.
 *
 * expect: plain 12 states 13 transitions; default 8 states 10 transitions; safety holds
 */

chan c = [0] of { byte };
byte x;

active proctype p()
{
	atomic { x = 1; c!1 }
}

active proctype q()
{
	atomic { c?1 }
}

active proctype r()
{
	x = 2
}
