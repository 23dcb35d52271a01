/*
 * `unless` with a receive as escape, buffered and rendezvous; the send to the escape comes from a
 * process that then goes on.
 *
 * expect: plain 40 states 63 transitions; default 40 states 63 transitions; safety holds
 */

chan c = [0] of { byte };
chan d = [1] of { byte };
byte n;

active proctype p()
{
	{ do
	  :: n < 3 -> n++
	  :: n == 3 -> n = 0
	  od } unless { c?1 -> n = 10 };
	{ n++; n++ } unless { d?1 };
	n = 20
}

active proctype q()
{
	c!1;
	d!1
}
