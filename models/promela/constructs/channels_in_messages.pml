/*
 * Channels travel through channels and are used where they arrive.
 *
 * expect: plain 32 states 39 transitions; default 32 states 39 transitions; safety holds
 */

chan post = [1] of { chan };
chan a = [1] of { byte };
chan b = [0] of { byte };

active proctype p()
{
	chan mine;

	post?mine;
	mine!1;
	post?mine;
	mine!2
}

active proctype q()
{
	byte x;

	if
	:: post!a; post!b
	:: post!b; post!a
	fi;
	do
	:: a?x -> x = 0
	:: b?x -> x = 0
	:: timeout -> break
	od
}
