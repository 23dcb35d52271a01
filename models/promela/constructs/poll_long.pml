/*
 * Polls with more fields than messages have, by a variable that can hold channels of several kinds:
 * of messages with one field the others read as 0; of those with more it is an error, but only
 * where a field that is not there is compared.
 *
 * expect: plain 17 states 17 transitions; default 17 states 17 transitions; safety holds
 * expect: -D COMPARED plain 16 states 16 transitions 1 errors; default 16 states 16 transitions 1 errors; safety violated (too many fields in recv)
 */

chan one = [1] of { byte };
chan two = [1] of { byte, byte };
chan three = [1] of { byte, byte, byte };
byte n;

active proctype p()
{
	chan c = one;
	three!1, 2, 3;
	one!1;
	if
	:: c?[1, 0] -> n++
	:: else
	fi;
	if
	:: c??[1, 2] -> n = 9
	:: else -> n++
	fi;
	if
	:: c?[1, _] -> n++
	:: else
	fi;
	c = two;
	two!1, 2;
	if
	:: c?[1, 2, _] -> n++
	:: else
	fi;
	if
	:: c?[2, 2, 0] -> n = 9
	:: else -> n++
	fi;
	assert(n == 5);
#ifdef COMPARED
	c?[1, 2, 0]
#endif
}

// warning 35:5: the messages of this channel have 2 fields, here are 3
// warning 39:5: the messages of this channel have 2 fields, here are 3
