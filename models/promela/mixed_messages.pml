/*
 * One field of the messages to a desk carries a client under one tag and an amount, which is
 * computed with, under another. Whoever gives the field one class takes clients for numbers.
 *
 * symmetry: S_N on the clients with their links, once fields are told apart by tag
 *
 * expect: plain 8505 states 26387 transitions; default 7621 states 23602 transitions; safety holds
 * expect: -D N=2 plain 949 states 2329 transitions; default 835 states 2048 transitions; safety holds
 */

#ifndef N
#define N 3
#endif
#define ROOM 2

mtype = { hold, amount };

chan desk = [N] of { mtype, byte };
chan link[N] = [1] of { bit };
byte owner = N;

proctype client(byte me)
{
	byte n;

	do
	:: desk!hold,me;
		link[me]?1;
		assert(owner == me);
		n = 1;
		do
		:: n <= ROOM -> desk!amount,n; n++
		:: else -> break
		od;
		n = 0
	od
}

proctype server()
{
	byte who, n, sum;

	do
	:: owner == N ->
		desk?hold,who;
		owner = who;
		link[who]!1;
		who = N
	:: desk??amount,n;
		sum = sum + n;
		if
		:: n == ROOM ->
			assert(sum == ROOM * (ROOM + 1) / 2);
			sum = 0;
			owner = N
		:: else
		fi;
		n = 0
	od
}

init {
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			run client(i)
		}
		run server()
	}
}
