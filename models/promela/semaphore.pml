/* A semaphore as a rendezvous channel (after E. W. Dijkstra), watched by a trace. */

mtype = { p, v };
chan sema = [0] of { mtype };

active proctype dijkstra()
{
	byte count = 1;

end:	do
	:: (count == 1) ->
		sema!p; count = 0
	:: (count == 0) ->
		sema?v; count = 1
	od
}

active [3] proctype user()
{
end:	do
	:: sema?p;
	   /* critical section */
	   sema!v
	od
}

trace {
	do
	:: sema!p; sema?p;
	   sema!v; sema?v
	od
}

// expect: plain 12 states 15 transitions; default 12 states 15 transitions; safety holds
