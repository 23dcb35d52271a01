/*
 * N clients draw numbers and are served in the order of the numbers, which go round. Nobody waits
 * for ever, if nobody rests for ever who can go on.
 *
 * symmetry: S_N on the clients
 *
 * expect: plain 124 states 337 transitions; default 124 states 337 transitions; safety holds
 *
 * live: served none violated, weak holds, strong holds
 * live: someone none violated, weak holds, strong holds
 */
#ifndef N
#define N 3
#endif

byte next, now;
bool waiting[N], inside[N];

active [N] proctype client()
{
	byte mine;

	do
	:: atomic { mine = next; next = (next + 1) % (N + 1); waiting[_pid] = true };
	   atomic { now == mine -> mine = 0; waiting[_pid] = false; inside[_pid] = true };
	   atomic { inside[_pid] = false; now = (now + 1) % (N + 1) }
	:: inside[_pid] = false /* something else */
	od
}

ltl served { [] (waiting[1] -> <> inside[1]) }
ltl someone { [] ((waiting[0] || waiting[1] || waiting[2]) -> <> (inside[0] || inside[1] || inside[2])) }
