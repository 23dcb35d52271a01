/*
 * Control goes from one atomic block to the next over two rendezvous: nobody comes between.
 *
 * expect: plain 75 states 99 transitions; default 75 states 99 transitions; safety holds
 */

chan c = [0] of { byte };
chan d = [0] of { byte };
int log;

active proctype a()
{
	atomic { c!1; log = 10 * log + 1 }
}

active proctype b()
{
	atomic { c?1; log = 10 * log + 2; d!1; log = 10 * log + 3 }
}

active proctype e()
{
	atomic { d?1; log = 10 * log + 4 }
}

active proctype other()
{
	log = 10 * log + 5
}
