/*
 * A token goes round N processes by arithmetic on their numbers: next = (mine % N) + 1.
 * After A. F. Donaldson (2007), chapter 7: the arithmetic commutes with rotations only.
 *
 * symmetry: C_N, if arithmetic on process numbers is understood; trivial otherwise
 *
 * expect: -D N=3 plain 25 states 64 transitions; default 25 states 64 transitions; safety holds
 * expect: -D N=5 plain 161 states 566 transitions; default 161 states 566 transitions; safety holds
 * expect: -D N=12 plain 49153 states 344077 transitions; default 49153 states 344077 transitions; safety holds
 */

#ifndef N
#define N 5
#endif

pid token;
bool warm[N + 1];

proctype station()
{
	do
	:: atomic { token == _pid && !warm[_pid] -> warm[_pid] = true }
	:: atomic { token == _pid -> token = (token % N) + 1 }
	:: atomic { token != _pid && warm[_pid] -> warm[_pid] = false }
	od
}

init {
	byte i;

	atomic {
		for (i : 1 .. N) {
			run station()
		}
		select (i : 1 .. N);
		token = i;
		i = 0
	}
}
