/*
 * `token.pml` in ordinary Promela; C and S are the identities of nobody.
 *
 * symmetry: S_C on the clients, S_S on the servers
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

byte client[C];
byte server[S];
byte token = C;

inline choose()
{
	if
	:: token = 0
	:: token = 1
#if C > 2
	:: token = 2
#endif
#if C > 3
	:: token = 3
#endif
	fi
}

proctype c(byte me)
{
	do
	:: atomic { assert(client[me] < 5); client[me] = (client[me] + 1) % 5 }
	:: atomic { token == me -> assert(client[token] < 5); choose() }
	od
}

proctype s(byte me)
{
	do
	:: atomic { assert(server[me] < 3); server[me] = (server[me] + 1) % 3 }
	od
}

init {
	byte i = C;
	byte j = S;

	atomic {
		choose();
		for (i : 0 .. C - 1) {
			run c(i)
		};
		for (j : 0 .. S - 1) {
			run s(j)
		}
	}
}
