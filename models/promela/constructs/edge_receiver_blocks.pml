/*
 * The receiver's atomic block blocks right after the rendezvous: all may go on, the sender too.
 *
 * expect: plain 31 states 39 transitions; default 31 states 39 transitions; safety holds
 */

chan c = [0] of { byte };
int log;

active proctype sender()
{
	atomic { c!1; log = 10 * log + 1 }
}

active proctype receiver()
{
	atomic { c?1; log != 0; log = 10 * log + 2 }
}

active proctype other()
{
	log = 10 * log + 3
}
