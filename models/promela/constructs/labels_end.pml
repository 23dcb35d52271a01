/*
 * End labels: places where a process may stay for ever. Without one, waiting there is an error.
 *
 * expect: plain 10 states 11 transitions 2 errors; default 10 states 11 transitions 2 errors; safety violated (invalid end state)
 */

chan c = [0] of { byte };

active proctype good()
{
end_here:
	c?1;
	skip
}

active proctype bad()
{
	c?2
}

active proctype sender()
{
	if
	:: c!1
	:: c!2
	:: skip
	fi
}
