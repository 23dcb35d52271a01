/*
 * A rendezvous receive as the first statement of a d_step: the handshake and the d_step are two
 * steps, the second without anybody between.
 *
 * expect: plain 23 states 28 transitions; default 23 states 28 transitions; safety holds
 */

chan c = [0] of { byte };
byte x;

active proctype sender()
{
	c!3;
	x = x + 1
}

active proctype receiver()
{
	byte got;

	d_step { c?got; x = x + got; x = x * 2; got = 0 }
}

active proctype other()
{
	x = x * 2
}
