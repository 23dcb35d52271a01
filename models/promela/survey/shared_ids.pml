/*
 * Four processes with one of three local states each, and three ids that anyone can take. What is
 * sorted first, states or ids, must not matter: ((1,2,3); A,C,A,B) and ((3,4,2); B,A,A,C) are in
 * one orbit, whose least state by local states, then ids, is ((1,4,2); A,A,B,C).
 * After A. Miller, A. Donaldson and M. Calder (2006), section 5.
 *
 * symmetry: S4 on the processes with the ids; 3^4 5^3 states, and the one before the processes run
 *
 * orbits: full 10126 orbits 631 group S4
 */

byte id[3];
byte st[5];

proctype p()
{
	do
	:: st[_pid] = (st[_pid] + 1) % 3
	:: id[0] = _pid
	:: id[1] = _pid
	:: id[2] = _pid
	:: atomic { id[0] == _pid && st[_pid] == 2 -> st[_pid] = 0 }
	:: atomic { id[1] == _pid && st[_pid] == 1 -> st[_pid] = 2 }
	od
}

init {
	atomic { run p(); run p(); run p(); run p() }
}
