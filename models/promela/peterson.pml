/* Peterson's mutual exclusion for two processes, with an assertion and a formula. */

bool turn, flag[2];
byte n_critical;

active [2] proctype user()
{
	assert(_pid == 0 || _pid == 1);
again:
	flag[_pid] = 1;
	turn = _pid;
	(flag[1 - _pid] == 0 || turn == 1 - _pid);

	n_critical++;
	assert(n_critical == 1);
critical:
	n_critical--;

	flag[_pid] = 0;
	goto again
}

ltl exclusion { [] (n_critical <= 1) }
ltl { [] <> (user[0]@critical) -> [] <> (user[1]@critical) }

// expect: plain 55 states 99 transitions; default 55 states 99 transitions; safety holds
