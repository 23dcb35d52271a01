/*
 * The escape itself is a rendezvous receive, and so is the main part: the sender meets the escape.
 *
 * expect: plain 7 states 7 transitions; default 7 states 7 transitions; safety holds
 */

chan c = [0] of { byte };
byte n;

active proctype p()
{
	{ c?1 -> n = 1 } unless { c?1 -> n = 2 }
}

active proctype q()
{
	c!1;
	n != 0;
	assert(n == 2)
}
