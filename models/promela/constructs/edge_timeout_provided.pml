/*
 * `timeout` comes when all others are kept still by `provided`.
 *
 * expect: plain 8 states 9 transitions; default 8 states 9 transitions; safety holds
 */

bool go;
byte x;

active proctype p() provided (go)
{
	x = 1
}

active proctype q()
{
	timeout;
	assert(x == 0);
	go = true
}
