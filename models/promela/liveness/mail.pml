/*
 * Clients send each other letters through a mailer that holds one at a time, and take what is in
 * their box. A letter arrives if nobody rests for ever who can go on. A client may never get to
 * send, because others are quicker; where the run is strongly fair everybody sends.
 *
 * symmetry: S_N on the clients
 *
 * expect: plain 9116 states 37333 transitions; default 1348 states 5491 transitions; safety holds
 *
 * live: arrives none violated, weak holds, strong holds
 * live: sends none violated, weak violated, strong holds
 */
#ifndef N
#define N 3
#endif

chan post = [0] of { byte, byte };
bool box[N], sends[N];

active [N] proctype client()
{
	byte to;

	do
	:: atomic {
		if
		:: to = 0
		:: to = 1
		:: to = N - 1
		fi;
		sends[_pid] = true
	   };
	   post!_pid,to;
	   to = 0
	:: box[_pid] = false /* looks into the box */
	od
}

active proctype mailer()
{
	byte from, to;

	do
	:: atomic { post?from,to; sends[from] = false; from = 0 };
carries:   atomic { box[to] = true; to = 0 }
	od
}

ltl arrives { [] (mailer@carries -> <> !mailer@carries) }
ltl sends { [] (sends[1] -> <> !sends[1]) }
