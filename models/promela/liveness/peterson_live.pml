/*
 * Peterson's two processes. Who wants to enter enters: the other cannot go on without him. That
 * both enter again and again needs fair runs.
 *
 * symmetry: the two processes, with `turn`
 *
 * expect: plain 26 states 45 transitions; default 26 states 45 transitions; safety holds
 *
 * live: served none holds, weak holds, strong holds
 * live: both none violated, weak holds, strong holds
 */
byte turn;
bool want[2], inside[2];

active [2] proctype P()
{
	do
	:: want[_pid] = true;
	   turn = 1 - _pid;
	   !want[1 - _pid] || turn == _pid;
	   inside[_pid] = true;
	   atomic { inside[_pid] = false; want[_pid] = false }
	od
}

ltl served { [] (want[0] -> <> inside[0]) }
ltl both { ([] <> inside[0]) && ([] <> inside[1]) }
