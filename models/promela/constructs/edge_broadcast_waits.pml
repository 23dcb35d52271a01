/*
 * A loop in atomic sends to all, and a send in the middle waits: others see who got the message
 * first. With ROOM the boxes are large enough, and nobody sees it.
 *
 * expect: plain 21 states 26 transitions 1 errors; default 21 states 26 transitions 1 errors; safety violated (assertion)
 * expect: -D ROOM=2 plain 19 states 23 transitions; default 19 states 23 transitions; safety holds
 */

#ifndef ROOM
#define ROOM 1
#endif

chan box[2] = [ROOM] of { bit };
bool mark[2];

active proctype teller()
{
	byte j;

	if
	:: mark[0] = 1; box[0]!1
	:: mark[1] = 1; box[1]!1
	fi;
	atomic {
		for (j : 0 .. 1) {
			box[j]!0
		}
	}
}

active proctype watcher()
{
end:	do
	:: atomic { mark[0] && box[0]?[1] && len(box[1]) == 1 && len(box[0]) == 1 -> assert(false) }
	:: atomic { mark[1] && box[1]?[1] && len(box[0]) == 1 && len(box[1]) == 1 -> assert(false) }
	:: mark[0] && nempty(box[0]) -> box[0]?_
	:: mark[1] && nempty(box[1]) -> box[1]?_
	od
}
