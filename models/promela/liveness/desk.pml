/*
 * Clients speak to a clerk without a queue: who gets through gets through. A client may be passed
 * over for ever, unless the run is strongly fair; the clerk always has something to do.
 *
 * symmetry: S_N on the clients
 *
 * expect: plain 4 states 7 transitions; default 4 states 7 transitions; safety holds
 *
 * live: heard none violated, weak violated, strong holds
 * live: busy none holds, weak holds, strong holds
 */
#ifndef N
#define N 3
#endif

chan desk = [0] of { byte };
bool heard[N];

active [N] proctype client()
{
	do
	:: desk!_pid
	od
}

active proctype clerk()
{
	byte who;

	do
	:: atomic { desk?who; heard[who] = true };
	   atomic { heard[who] = false; who = 0 }
	od
}

ltl heard { [] <> heard[1] }
ltl busy { [] <> (heard[0] || heard[1] || heard[2]) }
