/*
 * A server starts an agent for each request that it accepts; the agent serves its client over a
 * channel of its own and dies. Clients are N; agents come and go, and their numbers and channels
 * are used again.
 * After the example of dynamic processes in SPIN's manual, told anew.
 *
 * symmetry: S_N on the clients with their channels; agents are symmetric only as far as the order
 * in which processes die (last started first) lets them
 *
 * expect: -D N=1 plain refused; default refused; safety violated (refused)
 * expect: -D N=2 plain refused; default refused; safety violated (refused)
 * expect: -D N=3 plain refused; default refused; safety violated (refused)
 * bench: -D N=4 plain
 */

#ifndef N
#define N 2
#endif
#define PLACES (N - N / 2)

mtype = { request, grant, deny, back };
chan server_in = [0] of { mtype, chan };
chan reply[N] = [0] of { mtype, chan };
byte n_agents;

proctype agent(chan client)
{
	chan own = [0] of { mtype };
	mtype m;

	client!grant, own;
	own?m;
	assert(m == back);
	atomic { n_agents--; m = 0 }
}

proctype server()
{
	chan who;

end:	do
	:: atomic { server_in?request, who };
		if
		:: atomic { n_agents < PLACES -> n_agents++; run agent(who) }
		:: atomic { n_agents == PLACES -> who!deny, who }
		fi;
		who = 0
	od
}

proctype client(chan in)
{
	chan to;

end:	do
	:: server_in!request, in;
		if
		:: in?grant, to; to!back
		:: in?deny, _
		fi;
		to = 0
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
