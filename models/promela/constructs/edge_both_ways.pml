/*
 * Two processes that can both send and receive on one rendezvous channel: either direction; a
 * process never talks to itself.
 *
 * expect: plain 12 states 15 transitions; default 12 states 15 transitions; safety holds
 */

chan c = [0] of { pid };
byte n;

active [2] proctype p()
{
	pid who = 9;

	if
	:: c!_pid
	:: c?who -> assert(who != _pid); n++
	fi
}
