/*
 * N clients send requests to a balancer, which hands each to one of the least busy of M servers;
 * the server answers on the client's own channel, which the request carries. The balancer has room
 * for QB requests, a server for QS.
 * After A. F. Donaldson (2007), chapter 11. The capacities behind his table (2.37e7 states for 2
 * servers and 6 clients) are not published.
 *
 * symmetry: S_M on the servers with their queues, S_N on the clients with their channels
 *
 * expect: -D M=2 -D N=2 plain 3755 states 12488 transitions; default 4918 states 15746 transitions; safety holds
 * expect: -D M=2 -D N=3 plain 49053 states 182942 transitions; default 59156 states 216788 transitions; safety holds
 * expect: -D M=3 -D N=3 plain 604347 states 2804150 transitions; default 835597 states 3751532 transitions; safety holds
 * expect: -D M=2 -D N=4 plain 523297 states 2131970 transitions; default 605254 states 2443486 transitions; safety holds
 * bench: -D M=2 -D N=5 -D QB=5 -D QS=3 plain 6176193 states 26258122 transitions; default 6943478 states 29370432 transitions; safety holds
 */

#ifndef M
#define M 2
#endif
#ifndef N
#define N 3
#endif
#ifndef QB
#define QB 3
#endif
#ifndef QS
#define QS 2
#endif

mtype = { none, request, response };
chan balance = [QB] of { mtype, chan };
chan serve[M] = [QS] of { mtype, chan };
chan mine[N] = [1] of { mtype };
chan null = [0] of { mtype };

#define LESS(i, j) (len(serve[i]) <= len(serve[j]))

proctype client(chan in)
{
	do
	:: balance!request, in;
		in?response
	od
}

proctype balancer()
{
	mtype msg = none;
	chan who = null;

	do
	:: balance?msg, who;
		if
#if M == 2
		:: atomic { LESS(0, 1) && nfull(serve[0]) -> serve[0]!msg, who }
		:: atomic { LESS(1, 0) && nfull(serve[1]) -> serve[1]!msg, who }
#elif M == 3
		:: atomic { LESS(0, 1) && LESS(0, 2) && nfull(serve[0]) -> serve[0]!msg, who }
		:: atomic { LESS(1, 0) && LESS(1, 2) && nfull(serve[1]) -> serve[1]!msg, who }
		:: atomic { LESS(2, 0) && LESS(2, 1) && nfull(serve[2]) -> serve[2]!msg, who }
#elif M == 4
		:: atomic { LESS(0, 1) && LESS(0, 2) && LESS(0, 3) && nfull(serve[0]) ->
			serve[0]!msg, who }
		:: atomic { LESS(1, 0) && LESS(1, 2) && LESS(1, 3) && nfull(serve[1]) ->
			serve[1]!msg, who }
		:: atomic { LESS(2, 0) && LESS(2, 1) && LESS(2, 3) && nfull(serve[2]) ->
			serve[2]!msg, who }
		:: atomic { LESS(3, 0) && LESS(3, 1) && LESS(3, 2) && nfull(serve[3]) ->
			serve[3]!msg, who }
#endif
		fi;
		msg = none;
		who = null
	od
}

proctype server(chan in)
{
	mtype msg = none;
	chan who = null;

	do
	:: in?msg, who;
		assert(msg == request);
		who!response;
		msg = none;
		who = null
	od
}

init {
	byte i;

	atomic {
		for (i : 0 .. M - 1) {
			run server(serve[i])
		}
		run balancer();
		for (i : 0 .. N - 1) {
			run client(mine[i])
		}
	}
}
