/*
 * A variable that is read only after a condition that is never true. SPIN takes it for live before
 * the condition and does not reset it.
 *
 * expect: plain 10 states 10 transitions 3 errors; default 7 states 7 transitions 3 errors; safety violated (invalid end state)
 */

active proctype p() {
	byte i, j;

	select (i : 0 .. 2);
	j = i;
	if
	:: i < 2 -> atomic { false; j < 2 }
	:: else -> false; j = j + 1
	fi;
	i = 0
}
