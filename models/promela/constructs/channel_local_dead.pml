/*
 * A message on a channel of a process that has died: pan reports it.
 *
 * expect: plain 6 states 6 transitions 1 errors; default 6 states 6 transitions 1 errors; safety violated (bad queue - q_full)
 */

chan post = [1] of { chan };

proctype child()
{
	chan own = [1] of { byte };

	post!own
}

init {
	chan from;

	run child();
	post?from;
	if
	:: _nr_pr == 1 -> from!1
	:: _nr_pr == 2
	fi
}
