/*
 * The receiver is in the middle of an atomic block when the message comes, the sender is in none:
 * the receiver goes on inside its block. Before, it waits inside its block, and others may go on.
 *
 * expect: plain 19 states 19 transitions; default 19 states 19 transitions; safety holds
 */

chan c = [0] of { byte };
int log;

active proctype sender()
{
	log = 10 * log + 1;
	c!7;
	log = 10 * log + 2
}

active proctype receiver()
{
	atomic {
		log = 10 * log + 3;
		c?7;
		log = 10 * log + 4
	}
}

active proctype judge()
{
	timeout;
	assert(log == 1342 || log == 3142)
}
