/*
 * Three servers, three balancers and two clients at each balancer; requests of one client, the
 * blocked one, are refused. Every process is one loop over steps with its place as a variable.
 * After A. F. Donaldson (2007), figure 6.8. -D CLIENTS=3 starts three clients only, -D SERVERS=2
 * two servers, to keep it small.
 *
 * symmetry: servers freely; the two clients of a balancer that does not serve the blocked client;
 * those balancers with their clients: order 48 at full size
 *
 * expect: -D SERVERS=2 -D CLIENTS=1 plain 18 states 27 transitions; default 18 states 27 transitions; safety holds
 * expect: -D SERVERS=2 -D CLIENTS=2 plain 190 states 462 transitions; default 190 states 462 transitions; safety holds
 * expect: -D SERVERS=3 -D CLIENTS=3 plain 2638 states 10214 transitions; default 2638 states 10214 transitions; safety holds
 * bench: -D SERVERS=3 -D CLIENTS=5 plain 778432 states 4634101 transitions; default 778432 states 4634101 transitions; safety holds
 */

#ifndef SERVERS
#define SERVERS 3
#endif
#ifndef CLIENTS
#define CLIENTS 3
#endif
#define BALANCERS 3
#define BLOCKED (SERVERS + BALANCERS + 3)

chan se[4] = [3] of { chan };
chan lb[4] = [1] of { pid, chan };
chan cl[7] = [1] of { int };
chan null = [0] of { int };
pid blocked_client = BLOCKED;

#define SHORTEST(i, j) (len(se[i]) <= len(se[j]))

proctype client(chan in, link; byte pc)
{
	int answer = -1;

	do
	:: atomic { pc == 1 && nfull(link) -> link!_pid, in; pc = 2 }
	:: atomic { pc == 2 && nempty(in) -> in?answer; pc = 3 }
	:: atomic { pc == 3 -> assert(answer == 1 - (_pid == blocked_client)); answer = -1; pc = 1 }
	od
}

proctype balancer(chan in; byte pc)
{
	pid id;
	chan link = null;

	do
	:: atomic { pc == 1 && nempty(in) -> in?id, link; pc = 2 }
	:: atomic { pc == 2 && id == blocked_client && nfull(link) -> link!0; pc = 3 }
#if SERVERS == 2
	:: atomic { pc == 2 && id != blocked_client && SHORTEST(1, 2) && nfull(se[1]) ->
		se[1]!link; pc = 3 }
	:: atomic { pc == 2 && id != blocked_client && SHORTEST(2, 1) && nfull(se[2]) ->
		se[2]!link; pc = 3 }
#else
	:: atomic { pc == 2 && id != blocked_client && SHORTEST(1, 2) && SHORTEST(1, 3) &&
		nfull(se[1]) -> se[1]!link; pc = 3 }
	:: atomic { pc == 2 && id != blocked_client && SHORTEST(2, 1) && SHORTEST(2, 3) &&
		nfull(se[2]) -> se[2]!link; pc = 3 }
	:: atomic { pc == 2 && id != blocked_client && SHORTEST(3, 1) && SHORTEST(3, 2) &&
		nfull(se[3]) -> se[3]!link; pc = 3 }
#endif
	:: atomic { pc == 3 -> id = 0; link = null; pc = 1 }
	od
}

proctype server(chan in; byte pc)
{
	chan link = null;

	do
	:: atomic { pc == 1 && nempty(in) -> in?link; pc = 2 }
	:: atomic { pc == 2 && nfull(link) -> link!1; link = null; pc = 1 }
	od
}

init {
	byte i;

	atomic {
		for (i : 1 .. SERVERS) {
			run server(se[i], 1)
		}
		for (i : 1 .. BALANCERS) {
			run balancer(lb[i], 1)
		}
		for (i : 1 .. CLIENTS) {
			run client(cl[i], lb[(i + 1) / 2], 1)
		}
	}
}
