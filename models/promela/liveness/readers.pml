/*
 * Two readers and two writers. Readers may come in while others read, so that the writers may wait
 * for ever: they never can enter, and no fairness helps.
 *
 * symmetry: the readers, and the writers
 *
 * expect: plain 20 states 59 transitions; default 20 states 59 transitions; safety holds
 *
 * live: writes none violated, weak violated, strong violated
 * live: reads none violated, weak violated, strong holds
 */
byte n_readers;
bool writing, wants[4], done[4];

active [2] proctype reader()
{
	do
	:: atomic { !writing -> n_readers++; done[_pid] = true };
	   atomic { n_readers--; done[_pid] = false }
	od
}

active [2] proctype writer()
{
	do
	:: wants[_pid] = true;
	   atomic { !writing && n_readers == 0 -> writing = true; wants[_pid] = false };
	   writing = false
	od
}

ltl writes { [] ((wants[2] || wants[3]) -> <> writing) }
ltl reads { [] <> done[0] }
