/*
 * An allocator and three clients, two of them with high priority: it looks at their requests first.
 * The low one starves however fair the run is; the high ones may starve too, because they pass each
 * other over, unless the run is strongly fair.
 *
 * symmetry: the two clients of high priority
 *
 * expect: plain 40 states 92 transitions; default 40 states 92 transitions; safety holds
 *
 * live: low_served none violated, weak violated, strong violated
 * live: granted none holds, weak holds, strong holds
 */
#define LOW 2
bool asks[3], has[3];

active [3] proctype client()
{
	do
	:: asks[_pid] = true;
	   has[_pid];
	   has[_pid] = false
	od
}

active proctype allocator()
{
	do
	:: atomic {
		!has[0] && !has[1] && !has[LOW];
		if
		:: asks[0] -> asks[0] = false; has[0] = true
		:: asks[1] -> asks[1] = false; has[1] = true
		:: asks[LOW] && !asks[0] && !asks[1] -> asks[LOW] = false; has[LOW] = true
		fi
	   }
	od
}

ltl low_served { [] (asks[LOW] -> <> has[LOW]) }
ltl granted { [] (asks[LOW] -> <> (has[0] || has[1] || has[LOW])) }
