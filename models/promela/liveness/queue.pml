/*
 * Clients put themselves into a queue and are served in its order. Who is in it is served if
 * nobody rests for ever who can go on. Without fairness a client may do other things for ever.
 *
 * symmetry: S_N on the clients
 *
 * expect: plain 31 states 85 transitions; default 31 states 85 transitions; safety holds
 *
 * live: served none violated, weak holds, strong holds
 * live: asks none violated, weak violated, strong violated
 */
#ifndef N
#define N 3
#endif

chan line = [N] of { byte };
bool waiting[N], inside[N];

active [N] proctype client()
{
	do
	:: atomic { line!_pid; waiting[_pid] = true };
	   atomic { line?[eval(_pid)] -> waiting[_pid] = false; inside[_pid] = true };
	   atomic { inside[_pid] = false; line?eval(_pid) }
	:: inside[_pid] = false
	od
}

ltl served { [] (waiting[1] -> <> inside[1]) }
ltl asks { [] <> waiting[1] }
