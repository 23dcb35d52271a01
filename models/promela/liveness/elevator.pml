/*
 * A lift and the calls of three floors. It goes up and down all the way and stops once where it
 * was called. Callers may call again at once. Every call is answered if the lift does not rest for
 * ever.
 *
 * symmetry: none; floors have an order
 *
 * expect: plain 2700 states 11131 transitions; default 2700 states 11131 transitions; safety holds
 *
 * live: answered none violated, weak holds, strong holds
 * live: moves none violated, weak holds, strong holds
 */
#define TOP 2
bool called[3];
byte at;
bool up = true, open;

active proctype lift()
{
	do
	:: if
	   :: called[at] -> atomic { open = true; called[at] = false }; open = false
	   :: else
	   fi;
	   if
	   :: up && at < TOP -> at++
	   :: up && at == TOP -> up = false
	   :: !up && at > 0 -> at--
	   :: !up && at == 0 -> up = true
	   fi
	od
}

active [3] proctype caller()
{
	do
	:: !called[_pid - 1] -> called[_pid - 1] = true
	:: at != _pid - 1 -> at = at
	od
}

ltl answered { [] (called[2] -> <> (open && at == 2)) }
ltl moves { ([] <> (at == 0)) && ([] <> (at == TOP)) }
