/*
 * Channels are compared; `len`, `full`, `empty`, `nfull`, `nempty` of them, rendezvous included.
 *
 * expect: plain 11 states 11 transitions; default 11 states 11 transitions; safety holds
 */

chan a = [2] of { byte };
chan b = [2] of { byte };
chan r = [0] of { byte };
chan x;

active proctype p()
{
	x = a;
	assert(x == a && x != b);
	x!1;
	assert(len(a) == 1 && empty(b) && nfull(a) && nempty(a));
	x = b;
	x!2;
	x!3;
	assert(full(b) && len(x) == 2);
	assert(len(r) == 0)
}
