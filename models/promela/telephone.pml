/*
 * Two telephones on two rendezvous lines, each used in the direction of its name. A user is idle,
 * dials, calls, hears it ring, talks, clears down, and is idle again; the six arrays record the
 * phase, and assertions say that exactly one holds.
 * After A. F. Donaldson (2007), chapter 9; the phases after dialling are ours.
 * -D VERSION=1: an alert is not acknowledged; whoever dials is deaf to the
 * other's alert, and both may be stuck. 2: alerts are acknowledged, and a dialler listens while it rings.
 * 3: as 2, but only the caller can end a talk.
 *
 * symmetry: order 2, the exchange of the users with the lines
 *
 * expect: -D VERSION=1 plain 128 states 230 transitions 1 errors; default 96 states 172 transitions 1 errors; safety violated (invalid end state)
 * expect: -D VERSION=2 plain 153 states 302 transitions; default 114 states 224 transitions; safety holds
 * expect: -D VERSION=3 plain 135 states 258 transitions; default 133 states 254 transitions; safety holds
 */

#ifndef VERSION
#define VERSION 2
#endif

mtype = { alert, answer, cutoff, ack };
chan link12 = [0] of { mtype };
chan link21 = [0] of { mtype };

bool idle[3], dial[3], calling[3], ringing[3], talking[3], finish[3];

#define SUM (idle[_pid] + dial[_pid] + calling[_pid] + ringing[_pid] + talking[_pid] + finish[_pid])
#define PHASE(old, new) d_step { assert(old[_pid] && SUM == 1); old[_pid] = false; new[_pid] = true }

proctype user(chan in, out)
{
	bool is_caller;

	idle[_pid] = true;
at_idle:
	assert(idle[_pid] && SUM == 1);
end:	if
	:: PHASE(idle, dial); goto at_dial
	:: in?alert ->
#if VERSION > 1
		out!ack;
#endif
		PHASE(idle, ringing);
		goto at_ringing
	fi;
at_dial:
#if VERSION == 1
	out!alert;
	is_caller = true;
	PHASE(dial, calling);
	goto at_calling;
#else
	if
	:: out!alert ->
		if
		:: in?ack -> is_caller = true; PHASE(dial, calling); goto at_calling
		:: in?alert -> PHASE(dial, talking); goto at_talking
		fi
	:: in?alert -> out!alert; is_caller = true; PHASE(dial, talking); goto at_talking
	:: PHASE(dial, finish); goto at_finish
	fi;
#endif
at_calling:
	if
	:: in?answer -> PHASE(calling, talking); goto at_talking
	:: out!cutoff -> PHASE(calling, finish); goto at_finish
	fi;
at_ringing:
	if
	:: out!answer -> PHASE(ringing, talking); goto at_talking
	:: in?cutoff -> PHASE(ringing, finish); goto at_finish
	fi;
at_talking:
	if
#if VERSION == 3
	:: is_caller -> out!cutoff; PHASE(talking, finish); goto at_finish
#else
	:: out!cutoff -> PHASE(talking, finish); goto at_finish
#endif
	:: in?cutoff -> PHASE(talking, finish); goto at_finish
	fi;
at_finish:
	is_caller = false;
	PHASE(finish, idle);
	goto at_idle
}

init {
	atomic {
		run user(link21, link12);
		run user(link12, link21)
	}
}
