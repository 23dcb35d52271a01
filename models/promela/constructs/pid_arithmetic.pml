/*
 * `_pid` and numbers of processes in arithmetic and as indices.
 *
 * expect: plain 62 states 130 transitions; default 62 states 130 transitions; safety holds
 */

byte a[3];

active [3] proctype p()
{
	a[_pid] = (_pid + 1) % 3;
	a[(_pid + 1) % 3] == (_pid + 2) % 3;
	assert(a[a[_pid]] == (_pid + 2) % 3)
}
