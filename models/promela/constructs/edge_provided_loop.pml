/*
 * A condition on the process takes control away in the middle of an atomic loop, so that others see
 * which round comes first.
 *
 * expect: plain 13 states 16 transitions 1 errors; default 13 states 16 transitions 1 errors; safety violated (assertion)
 */

bool flag[2], mark[2];

active proctype walker() provided (flag[0] == flag[1])
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

active proctype watcher()
{
end:	do
	:: atomic { mark[0] && flag[0] && !flag[1] -> assert(false) }
	:: atomic { mark[1] && flag[1] && !flag[0] -> assert(false) }
	:: flag[0] && flag[1] -> break
	:: mark[0] && flag[1] && !flag[0] -> flag[0] = 1
	:: mark[1] && flag[0] && !flag[1] -> flag[1] = 1
	od
}
