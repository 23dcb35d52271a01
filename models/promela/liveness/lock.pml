/*
 * N clients and a lock that anybody may take who finds it free. Someone always gets in; a given
 * client may be passed over for ever, unless who can enter again and again must enter.
 *
 * symmetry: S_N on the clients
 *
 * expect: plain 20 states 49 transitions; default 20 states 49 transitions; safety holds
 *
 * live: served none violated, weak violated, strong holds
 * live: someone none holds, weak holds, strong holds
 */
#ifndef N
#define N 3
#endif

bool locked, waiting[N], inside[N];

active [N] proctype client()
{
	do
	:: waiting[_pid] = true;
	   atomic { !locked -> locked = true; waiting[_pid] = false; inside[_pid] = true };
	   atomic { inside[_pid] = false; locked = false }
	od
}

ltl served { [] (waiting[1] -> <> inside[1]) }
ltl someone { [] <> (inside[0] || inside[1] || inside[2]) }
