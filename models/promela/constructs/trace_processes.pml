/*
 * A trace over several processes: how far it has come is part of the state. A server that
 * may serve two at once breaks it.
 *
 * expect: plain 306 states 543 transitions; default 280 states 503 transitions; safety holds
 * expect: -D FREE plain 1534 states 2995 transitions 362 errors; default 1519 states 2978 transitions 365 errors; safety violated (event_trace error (no matching event), invalid end state)
 */

mtype = { ask, grant };
chan ask_c = [2] of { mtype, byte };
chan give_c = [2] of { byte };
chan answer[2] = [1] of { mtype };

active [2] proctype user()
{
	byte n;
	do
	:: n < 2 ->
		ask_c!ask, _pid;
		answer[_pid]?grant;
		n++;
		give_c!_pid
	:: else -> break
	od
}

active proctype server()
{
	byte who;
end:
	do
	:: ask_c?ask, who ->
#ifdef FREE
		answer[who]!grant;
		if
		:: give_c?who
		:: ask_c?ask, who -> answer[who]!grant
		fi
#else
		answer[who]!grant;
		give_c?eval(who)
#endif
	od
}

trace {
end_free:
	do
	:: ask_c?ask, 0; give_c?0
	:: ask_c?ask, 1; give_c?1
	od
}
