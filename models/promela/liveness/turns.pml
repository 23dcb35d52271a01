/*
 * Two processes take turns to starve: one waits while the other is at work, then they change. Each
 * is served again and again, but at every moment somebody waits. Who looks at one state of each
 * orbit and forgets which symmetry led there sees one process wait for ever: a wrong answer.
 *
 * symmetry: the two processes
 *
 * expect: plain 4 states 5 transitions; default 4 states 5 transitions; safety holds
 *
 * live: not_first none holds, weak holds, strong holds
 * live: not_second none holds, weak holds, strong holds
 * live: someone_waits none holds, weak holds, strong holds
 * live: nobody_waits none violated, weak violated, strong violated
 */
byte worker;

active [2] proctype P()
{
	do
	:: worker == _pid -> worker = 1 - _pid
	od
}

#define waits(i) (worker != i)

ltl not_first { ! <> [] waits(0) }
ltl not_second { ! <> [] waits(1) }
ltl someone_waits { [] (waits(0) || waits(1)) }
ltl nobody_waits { <> (!waits(0) && !waits(1)) }
