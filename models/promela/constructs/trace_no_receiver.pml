/*
 * A rendezvous that nobody receives is an event that can be an error all the same.
 *
 * expect: plain 1 states 1 transitions 1 errors; default 1 states 1 transitions 1 errors; safety violated (event_trace error (no matching event))
 */

chan c = [0] of { byte };

active proctype p()
{
end:	c!2
}

trace {
end:	c!1; c?1
}
