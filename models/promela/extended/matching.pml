/*
 * Clients, each connected to at most one server and in one of three modes; a server has at most one
 * client. Nothing else is stored, so states can be counted by hand: 3^N times the number of partial
 * matchings of N clients with N servers, the sum over k of C(N, k)^2 k!. One state per orbit gives
 * C(N + 5, 5): a client is in one of 6 conditions.
 * The numbers are those of F. Derepas and P. Gastin (2001), figure 6: 63, 918, 16929, 375678.
 * -D LAST declares the reference last, which mattered to them.
 *
 * symmetry: S_N on the clients and S_N on the servers
 * twin: matching_twin.pml
 *
 * expect: -D N=2 plain 63 states 307 transitions; default 63 states 307 transitions; safety holds
 * expect: -D N=3 plain 918 states 7615 transitions; default 918 states 7615 transitions; safety holds
 * expect: -D N=3 -D LAST plain 918 states 7615 transitions; default 918 states 7615 transitions; safety holds
 * expect: -D N=4 plain 16929 states 206389 transitions; default 16929 states 206389 transitions; safety holds
 * expect: -D N=5 plain 375678 states 6191641 transitions; default 375678 states 6191641 transitions; safety holds
 */

#ifndef N
#define N 3
#endif

active [N] proctype client()
{
#ifndef LAST
	ref server to;
#endif
	byte mode;
#ifdef LAST
	ref server to;
#endif

	do
	:: atomic { assert(mode < 3); mode = (mode + 1) % 3 }
	:: atomic {
		to == _undef_ref ->
		to = anyRef(server);
		if
		:: !server[to].taken -> server[to].taken = true
		:: else -> to = _undef_ref
		fi
	}
	:: atomic {
		to != _undef_ref ->
		assert(server[to].taken);
		server[to].taken = false;
		to = _undef_ref
	}
	od
}

active [N] proctype server()
{
	public bool taken;

end:	false
}
