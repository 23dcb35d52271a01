/*
 * Somebody of higher priority comes between the rounds of an atomic loop, and sees which comes
 * first.
 *
 * expect: plain 11 states 12 transitions 1 errors; default 11 states 12 transitions 1 errors; safety violated (assertion)
 */

bool flag[2], mark[2];

active proctype walker() priority 1
{
	byte j;

	if
	:: mark[0] = 1
	:: mark[1] = 1
	fi;
	atomic {
		for (j : 0 .. 1) {
			flag[j] = 1
		}
	}
}

active proctype watcher() priority 2
{
end:	do
	:: atomic { mark[0] && flag[0] && !flag[1] -> assert(false) }
	:: atomic { mark[1] && flag[1] && !flag[0] -> assert(false) }
	:: flag[0] && flag[1] -> break
	:: mark[0] && flag[1] && !flag[0] -> flag[0] = 1
	:: mark[1] && flag[0] && !flag[1] -> flag[1] = 1
	od
}
