/*
 * An index outside of its array at run time is a failed assertion in pan, which then goes on with
 * the bad index: it writes behind the array. The counts after that mean nothing; only the error
 * does.
 *
 * expect: plain 9 states 9 transitions 3 errors; default 7 states 8 transitions 3 errors; safety violated (array index)
 */

byte a[3];
byte i;

active proctype p()
{
	if
	:: i = 1
	:: i = 3
	fi;
	a[i] = 5;
	i = 0
}
