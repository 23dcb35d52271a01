/*
 * Two-phase commit over channels: a coordinator asks N participants, collects their votes in any
 * order, and tells them what was decided. A participant may refuse.
 *
 * symmetry: none, participants are asked in the order of their numbers
 *
 * expect: -D N=2 plain 451 states 919 transitions; default 441 states 901 transitions; safety holds
 * expect: -D N=4 plain 25783 states 87831 transitions; default 25223 states 86023 transitions; safety holds
 * bench: -D N=6 plain 1485639 states 7190331 transitions; default 1459089 states 7070541 transitions; safety holds
 */

#ifndef N
#define N 3
#endif

mtype = { prepare, yes, no, commit, abort };

chan to[N] = [1] of { mtype };
chan votes = [N] of { mtype };
byte n_committed, n_aborted;

active [N] proctype participant()
{
	bool refused;

end:	to[_pid]?prepare;
	if
	:: votes!yes
	:: refused = true; votes!no
	fi;
	if
	:: to[_pid]?commit -> n_committed++; assert(!refused && n_aborted == 0)
	:: to[_pid]?abort -> n_aborted++; assert(n_committed == 0)
	fi;
enddone: false
}

active proctype coordinator()
{
	byte i, n_yes, n_votes;

	do
	:: i < N -> to[i]!prepare; i++
	:: else -> break
	od;
	do
	:: n_votes < N ->
		if
		:: votes?yes -> n_yes++
		:: votes?no
		fi;
		n_votes++
	:: else -> break
	od;
	i = 0;
	do
	:: i < N && n_yes == N -> to[i]!commit; i++
	:: i < N && n_yes < N -> to[i]!abort; i++
	:: i == N -> break
	od;
end:	false
}
