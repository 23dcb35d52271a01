/*
 * An end label inside an atomic block: a process that waits there is at a valid end.
 *
 * expect: plain 13 states 18 transitions; default 13 states 18 transitions; safety holds
 */

byte x;

active proctype p()
{
	atomic {
		x = 1;
end:		x == 2;
		x = 3
	}
}

active proctype q()
{
	if
	:: x = 2
	:: skip
	fi
}
