/*
 * `else` at the head of a d_step looks at the alternatives beside the block: in if and do, in
 * braces, in atomic, and before an alternative that it does not look at.
 *
 * expect: plain 18 states 18 transitions; default 18 states 18 transitions; safety holds
 */

byte x, y;

active proctype p()
{
	if
	:: x == 0 -> x = 1
	:: d_step { else -> x = 9 }
	fi;
	do
	:: x < 3 -> x++
	:: d_step { { else -> y = x } }; break
	od;
	assert(x == 3 && y == 3);
	if
	:: atomic { x == 7 -> x = 9 }
	:: d_step { else -> x = 4; y = 4 }
	fi;
	assert(x == 4);
	if
	:: d_step { else -> y = 5 }
	:: x == 4 -> y = 6
	fi;
	atomic {
		if
		:: y == 5 -> x = 5
		:: y == 6 -> x = 5
		:: d_step { else -> x = 9 }
		fi;
		assert(x == 5)
	}
}
