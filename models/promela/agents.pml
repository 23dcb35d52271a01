/*
 * A server starts an agent for each request that it accepts; the agent serves its client over a
 * channel of its own and dies. Clients are N; agents come and go, and their numbers and channels
 * are used again. A dead agent stays until it is the youngest process and its death is a step, so
 * the server counts processes (`_nr_pr`), not agents at work.
 * After the example of dynamic processes in SPIN's manual, told anew.
 *
 * symmetry: S_N on the clients with their channels; agents are symmetric only as far as the order
 * in which processes die (last started first) lets them
 *
 * expect: -D N=1 plain 26 states 49 transitions; default 26 states 49 transitions; safety holds
 * expect: -D N=2 plain 190 states 524 transitions; default 190 states 524 transitions; safety holds
 * expect: -D N=3 plain 12113 states 49874 transitions; default 12113 states 49874 transitions; safety holds
 * bench: -D N=5 plain 15091626 states 94994677 transitions; default 15091626 states 94994677 transitions; safety holds
 */

#ifndef N
#define N 2
#endif
#define PLACES (N - N / 2)

mtype = { request, grant, deny, back };
chan server_in = [0] of { mtype, chan };
chan reply[N] = [0] of { mtype, chan };
chan none = [0] of { mtype, chan };

proctype agent(chan client)
{
	chan own = [0] of { mtype, chan };
	mtype m;

	client!grant, own;
	own?m, _;
	assert(m == back)
}

proctype server()
{
	chan who = none;

end:	do
	:: atomic { server_in?request, who };
		if
		:: atomic { _nr_pr < N + 2 + PLACES -> run agent(who) }
		:: atomic { _nr_pr == N + 2 + PLACES -> who!deny, who }
		fi;
		who = none
	od
}

proctype client(chan in)
{
	chan to = none;

end:	do
	:: server_in!request, in;
		if
		:: in?grant, to; to!back, none
		:: in?deny, _
		fi;
		to = none
	od
}

init {
	byte i;

	atomic {
		run server();
		for (i : 0 .. N - 1) {
			run client(reply[i])
		}
	}
}
