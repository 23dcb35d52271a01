/*
 * `_last`, the process that moved last, is kept only if the model uses it, and then adds states.
 *
 * expect: plain 81 states 142 transitions 9 errors; default 81 states 142 transitions 9 errors; safety violated (assertion)
 */

byte x;

active [2] proctype p()
{
	x++;
	x++;
	x--
}

active proctype watcher()
{
	end: _last == 1 && x == 3 -> assert(_last == 1)
}
