/*
 * A channel that is sent over itself: what it carries is a type that is inside itself, and so is
 * what two channels carry that are sent over each other. Where such a channel meets one of another
 * kind there is a warning.
 *
 * expect: plain 12 states 12 transitions; default 12 states 12 transitions; safety holds
 */

chan c = [2] of { chan };
chan a = [1] of { chan, byte };
chan b = [1] of { chan, byte };
chan plain = [1] of { byte };
byte x;

init {
	chan d, e;
	c!c;
	c?d;
	d!d;
	c?c;
	a!b, 1;
	b!a, 2;
	a?d, x;
	d?e, x;
	d = plain;
	assert(x == 2)
}

// warning 23:2: channels with messages of 2 and of 1 fields meet here
// warning 25:6: channels with messages of 2 and of 1 fields meet here
