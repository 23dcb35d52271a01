/*
 * A rendezvous send inside an atomic block gives control to the receiver. The receiver is in an
 * atomic block and goes on at once; when that block ends, the sender's block is an ordinary place
 * again until its next step: the third process may come between. The log is 1 (send), 2 (received),
 * 4 (sender goes on), with 3 anywhere but between 1 and 2.
 *
 * expect: plain 27 states 27 transitions; default 27 states 27 transitions; safety holds
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
	atomic {
		c?7;
		log = 10 * log + 2
	}
}

active proctype other()
{
	log = 10 * log + 3
}

active proctype judge()
{
	timeout;
	assert(log == 3124 || log == 1234 || log == 1243)
}
