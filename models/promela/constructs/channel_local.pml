/*
 * A channel made by a process that dies: it dies with the process, and its number is used again.
 *
 * expect: plain 20 states 22 transitions; default 20 states 22 transitions; safety holds
 */

chan post = [1] of { chan };
byte got;

proctype child(byte n)
{
	chan own = [1] of { byte };

	own!n;
	post!own;
	empty(own)
}

init {
	chan from;

	run child(5);
	post?from;
	from?got;
	_nr_pr == 1;
	run child(6);
	post?from;
	from?got;
	assert(got == 6)
}
