/*
 * `??` in two processes that each want their own message.
 *
 * expect: plain 34 states 57 transitions; default 34 states 57 transitions; safety holds
 */

chan c = [4] of { pid };

active [2] proctype p()
{
	c!_pid;
	c!1 - _pid;
	c??eval(_pid);
	c??eval(_pid)
}
