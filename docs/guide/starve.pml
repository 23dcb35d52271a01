/* Three clients and one resource. Whoever holds it may take it again at once. */
#define N 3
byte holder = N;
bool waiting[N], inside[N];

active [N] proctype client()
{
	do
	:: waiting[_pid] = true;
	   atomic { holder == N -> holder = _pid; inside[_pid] = true; waiting[_pid] = false };
	   atomic { inside[_pid] = false; holder = N }
	od
}

ltl served { [] (waiting[1] -> <> inside[1]) }
ltl busy { [] <> (holder != N) }

/* orbit: expect violated served */
