/*
 * D_proctype: what SPIN does not look at is no error here either. `skip`, a jump, `else` and a
 * d_step are taken beside others without a word.
 *
 * expect: plain 14 states 19 transitions; default 14 states 19 transitions; safety holds
 */

byte x;

D_proctype p()
{
	if
	:: x == 0 -> x = 1
	:: skip
	fi;
	if
	:: x <= 1 -> x = 3
	:: d_step { x <= 1; x = 4 }
	:: goto next
	fi;
next:
	x = 5
}

init {
	run p()
}
