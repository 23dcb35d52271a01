/*
 * Two atomic blocks that talk twice, each side sending once: control goes to and fro, nobody comes
 * between.
 *
 * expect: plain 27 states 27 transitions; default 27 states 27 transitions; safety holds
 */

chan c = [0] of { byte };
chan d = [0] of { byte };
int log;

active proctype left()
{
	atomic {
		c!1;
		d?2;
		log = 10 * log + 1
	}
}

active proctype right()
{
	atomic {
		c?1;
		log = 10 * log + 2;
		d!2;
		log = 10 * log + 3
	}
}

active proctype other()
{
	log = 10 * log + 4
}

active proctype judge()
{
	timeout;
	assert(log == 4213 || log == 2143 || log == 2134)
}
