/*
 * A rendezvous send inside an atomic block, received outside of one: the sender loses control all
 * the same, so that the receiver's next step or the third process may come before the sender's.
 *
 * expect: plain 79 states 79 transitions 4 errors; default 79 states 79 transitions 4 errors; safety violated (assertion)
 */

chan c = [0] of { byte };
int log;

active proctype sender()
{
	atomic {
		log = 10 * log + 1;
		c!7;
		log = 10 * log + 4
	}
}

active proctype receiver()
{
	c?7;
	log = 10 * log + 2
}

active proctype other()
{
	log = 10 * log + 3
}

active proctype judge()
{
	timeout;
	assert(log != 1342 && log != 1432);
	assert(log != 1324 && log != 1234)
}
