/*
 * Clients that connect to servers by messages: a client asks some server, which takes it if it is
 * free and else refuses; the client gives the server free again when it is done. Clients and
 * servers refer to each other, and each has a mailbox that the others can reach.
 * After F. Derepas and P. Gastin (2001), appendix; the release carries no reference here, and
 * answers have one field. -D LAST declares the reference of a client last, which matters to who
 * sorts clients by their variables in the order of the text.
 *
 * symmetry: S_N on the clients and S_N on the servers
 * twin: connect_twin.pml
 *
 * expect: -D N=1 plain 21 states 31 transitions; default 23 states 33 transitions; safety holds
 * expect: -D N=2 plain 9539 states 31365 transitions; default 10800 states 35365 transitions; safety holds
 * expect: -D N=2 -D LAST plain 9539 states 31365 transitions; default 10800 states 35365 transitions; safety holds
 */

#ifndef N
#define N 2
#endif

mtype = { request, release, granted, refused };

active [N] proctype client()
{
#ifndef LAST
	ref server to;
#endif
	public chan answers = [1] of { mtype };
#ifdef LAST
	ref server to;
#endif

	do
	:: to = anyRef(server);
		server[to].requests!request(_lid);
		if
		:: answers?granted -> server[to].requests!release(_undef_ref)
		:: answers?refused
		fi;
		to = _undef_ref
	od
}

active [N] proctype server()
{
	public chan requests = [N] of { mtype, ref client };
	ref client holder;
	ref client asks;

end:	do
	:: requests?request(asks) ->
		if
		:: holder == _undef_ref ->
			holder = asks;
			client[asks].answers!granted
		:: else ->
			assert(holder != asks);
			client[asks].answers!refused
		fi;
		asks = _undef_ref
	:: requests?release(_) -> holder = _undef_ref
	od
}
