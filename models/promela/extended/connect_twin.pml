/*
 * `connect.pml` without references and public variables: mailboxes are global arrays, a reference
 * is the number of a process less that of the first of its type, 255 for none.
 *
 * symmetry: S_N on the clients and S_N on the servers
 *
 * expect: -D N=1 plain 21 states 31 transitions; default 23 states 33 transitions; safety holds
 * expect: -D N=2 plain 9539 states 31365 transitions; default 10800 states 35365 transitions; safety holds
 * expect: -D N=2 -D LAST plain 9539 states 31365 transitions; default 10800 states 35365 transitions; safety holds
 */

#ifndef N
#define N 2
#endif
#define NONE 255

mtype = { request, release, granted, refused };

chan answers[N] = [1] of { mtype };
chan requests[N] = [N] of { mtype, byte };

#define CLIENT _pid
#define SERVER (_pid - N)

active [N] proctype client()
{
	byte to = NONE;

	do
	:: if
		:: to = 0
#if N > 1
		:: to = 1
#endif
#if N > 2
		:: to = 2
#endif
		fi;
		requests[to]!request(CLIENT);
		if
		:: answers[CLIENT]?granted -> requests[to]!release(NONE)
		:: answers[CLIENT]?refused
		fi;
		to = NONE
	od
}

active [N] proctype server()
{
	byte holder = NONE;
	byte asks = NONE;

end:	do
	:: requests[SERVER]?request(asks) ->
		if
		:: holder == NONE ->
			holder = asks;
			answers[asks]!granted
		:: else ->
			assert(holder != asks);
			answers[asks]!refused
		fi;
		asks = NONE
	:: requests[SERVER]?release(_) -> holder = NONE
	od
}
