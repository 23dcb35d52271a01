/*
 * Of three processes that have ended only the youngest can die: no choice among deaths.
 *
 * expect: plain 15 states 25 transitions; default 15 states 25 transitions; safety holds
 */

active [3] proctype p()
{
	skip
}
