/*
 * Four processes with one of three local states and a reference to a process each. Sorting by local
 * states alone does not lead all states of an orbit to one: ((B,1),(A,1),(C,3),(A,3)) and
 * ((A,4),(B,2),(A,2),(C,4)) are the same, shifted, in an orbit of 24 states.
 * After A. Miller, A. Donaldson and M. Calder (2006), section 5.
 *
 * symmetry: S4 on the processes with what refers to them; (3 5)^4 states, and the one before the
 * processes run
 *
 * orbits: full 50626 orbits 2476 group S4
 */

byte id[5];
byte st[5];

proctype p()
{
	do
	:: st[_pid] = (st[_pid] + 1) % 3
	:: id[_pid] = 1
	:: id[_pid] = 2
	:: id[_pid] = 3
	:: id[_pid] = 4
	:: atomic { id[_pid] == _pid && st[_pid] == 2 -> st[_pid] = 0 }
	od
}

init {
	atomic { run p(); run p(); run p(); run p() }
}
