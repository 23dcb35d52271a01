/*
 * A rendezvous in the middle of an atomic block, after which the other side's block blocks and the
 * first goes on.
 *
 * expect: plain 12 states 15 transitions 2 errors; default 12 states 15 transitions 2 errors; safety violated (assertion)
 */

chan c = [0] of { byte };
chan d = [0] of { byte };
byte x;

active proctype p()
{
	atomic { c!1; x = x + 1; d?1; x = x + 1 };
	assert(x == 2 || x == 12)
}

active proctype q()
{
	atomic { c?1; d!1; x = x + 10 };
	x = x + 10
}
