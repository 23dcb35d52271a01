/*
 * Local channels in an array, and in each of several processes of one type.
 *
 * expect: plain 55 states 93 transitions; default 55 states 93 transitions; safety holds
 */

chan post = [2] of { chan };
byte x;

active [2] proctype p()
{
	chan own[2] = [1] of { byte };

	own[1]!_pid;
	post!own[1];
	empty(own[1])
}

active proctype q()
{
	chan c;

	post?c;
	c?x;
	post?c;
	c?x;
	x = 0
}
