/*
 * `goto` and `break` are no steps where a statement comes before them; where they are all of an
 * alternative they are a step.
 *
 * expect: plain 11 states 12 transitions; default 5 states 8 transitions; safety holds
 */

byte x;

active proctype p()
{
	if
	:: goto out
	:: x = 1; goto out
	:: skip
	fi;
	do
	:: break
	:: x = 2; break
	od;
out:
	skip
}
