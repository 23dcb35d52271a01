/*
 * Sends as alternatives, on full, free and rendezvous channels: those that can go are explored.
 *
 * expect: plain 26 states 35 transitions; default 23 states 33 transitions; safety holds
 */

chan full_one = [1] of { byte };
chan free = [1] of { byte };
chan meet = [0] of { byte };
byte n;

active proctype p()
{
	full_one!1;
	if
	:: full_one!2 -> n = 1
	:: free!2 -> n = 2
	:: meet!2 -> n = 3
	fi
}

active proctype q()
{
	if
	:: meet?2
	:: full_one?1
	:: free?2
	fi
}
