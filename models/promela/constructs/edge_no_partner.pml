/*
 * A rendezvous send in the middle of an atomic block, with no receiver ready: the block loses
 * control, and is atomic again after the handshake only through the receiver.
 *
 * expect: plain 74 states 96 transitions; default 74 states 96 transitions; safety holds
 */

chan c = [0] of { byte };
int log;

active proctype sender()
{
	atomic { log = 10 * log + 1; c!1; log = 10 * log + 2; log = 10 * log + 3 }
}

active proctype receiver()
{
	log = 10 * log + 4;
	c?1
}

active proctype other()
{
	log = 10 * log + 5
}
