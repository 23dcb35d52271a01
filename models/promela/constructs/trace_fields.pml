/*
 * A trace with fields: `_` fits all (spin allows it in sends too), constants must be equal; copies and polls are no events.
 *
 * expect: plain 7 states 7 transitions; default 7 states 7 transitions; safety holds
 */

chan c = [2] of { byte, byte };
byte x;

active proctype p()
{
	c!1, 5;
	c!2, 6;
	c?<1, x>;
	c?1, x;
	c?2, x
}

trace {
	c!1, 5; c!2, 6; c?1, 5; c?2, _
}
