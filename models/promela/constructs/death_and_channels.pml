/*
 * A local channel of a process at its end, not yet dead, can still be used by others.
 *
 * expect: plain 9 states 9 transitions; default 9 states 9 transitions; safety holds
 */

chan post = [0] of { chan };
byte x;

proctype younger()
{
	chan c;

	post?c;
	c?x;
	assert(x == 3)
}

proctype older()
{
	chan own = [1] of { byte };

	own!3;
	post!own
}

init {
	atomic { run older(); run younger() }
}
