/*
 * The same over a rendezvous, and a match against a value that was cut.
 *
 * expect: plain 6 states 6 transitions; default 6 states 6 transitions; safety holds
 */

chan c = [0] of { byte };
int a;

active proctype p()
{
	c!300;
	c!300
}

active proctype q()
{
	c?a;
	assert(a == 44);
	if
	:: c?44
	:: c?300 -> assert(false)
	fi
}

// warning 12:4: 300 does not fit; 44 is what is left of it
// warning 13:4: 300 does not fit; 44 is what is left of it
// warning 22:7: 300 is never received: the field cannot hold it
