/*
 * `p[i]:x`, the local of another process; pan does not reset a local that is read so.
 *
 * expect: plain 31 states 53 transitions; default 31 states 53 transitions; safety holds
 */

byte done;

active [2] proctype worker()
{
	byte mine = 3;

	mine = mine + _pid;
	done++;
	mine = 0
}

active proctype watcher()
{
	done == 2;
	assert(worker[0]:mine + worker[1]:mine <= 7)
}
