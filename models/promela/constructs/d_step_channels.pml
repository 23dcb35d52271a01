/*
 * Sends and receives over buffered channels inside a d_step, as guards and after them.
 *
 * expect: plain 31 states 49 transitions; default 31 states 49 transitions; safety holds
 */

chan c = [4] of { byte };
byte sum;

active [2] proctype p()
{
	byte got;

	d_step { c!_pid; c!_pid + 10 };
	d_step { c?got; sum = sum + got; got = 0 };
	d_step {
		if
		:: nempty(c) -> c?got; sum = sum + got
		:: else -> sum = 100
		fi;
		got = 0
	}
}

// warning 19:6: `else` beside a look at a channel that is full or empty at times
