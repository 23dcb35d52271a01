/*
 * Progress labels, and cycles without progress, which pan -l finds.
 *
 * expect: plain 7 states 9 transitions; default 7 states 9 transitions; safety holds
 * progress: plain 13 states 29 transitions; default 13 states 29 transitions; progress holds
 */

byte x;

active proctype p()
{
	do
	:: x < 2 ->
progress_a: x++
	:: x == 2 -> x = 1
	:: x == 1 -> x = 0
	od
}
