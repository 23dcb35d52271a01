/*
 * Messages left in a channel at the end are no error by default (pan -q makes them one).
 *
 * expect: plain 4 states 4 transitions; default 4 states 4 transitions; safety holds
 */

chan c = [2] of { byte };

active proctype p()
{
	c!1;
	c!2
}
