/*
 * Two scalarsets: C clients go round five local states, S servers round three, and a token is
 * handed from client to client. Everything happens independently, so states can be counted by hand:
 * 5^C 3^S C, one more before `init` has run. One state per orbit gives 5 C(C + 3, 4) C(S + 2, 2):
 * the local state of the client with the token, and how many others are in each.
 * After T. Wahl and A. F. Donaldson (2010), the example of scalarsets.
 *
 * symmetry: S_C on the clients, S_S on the servers
 * twin: token_twin.pml
 *
 * expect: -D C=2 -D S=1 plain 151 states 753 transitions; default 151 states 753 transitions; safety holds
 * expect: -D C=2 -D S=2 plain 451 states 2703 transitions; default 451 states 2703 transitions; safety holds
 * expect: -D C=3 -D S=2 plain 3376 states 27004 transitions; default 3376 states 27004 transitions; safety holds
 * expect: -D C=4 -D S=2 plain 22501 states 225005 transitions; default 22501 states 225005 transitions; safety holds
 */

#ifndef C
#define C 3
#endif
#ifndef S
#define S 2
#endif

scalarset clients[C];
scalarset servers[S];

byte client[clients];
byte server[servers];
clients token;

proctype c(clients me)
{
	do
	:: atomic { assert(client[me] < 5); client[me] = (client[me] + 1) % 5 }
	:: atomic { token == me -> assert(client[token] < 5); token = anyRef(clients) }
	od
}

proctype s(servers me)
{
	do
	:: atomic { assert(server[me] < 3); server[me] = (server[me] + 1) % 3 }
	od
}

init {
	clients i;
	servers j;

	atomic {
		token = anyRef(clients);
		for (i in clients) {
			run c(i)
		};
		for (j in servers) {
			run s(j)
		}
	}
}
