/*
 * `enabled(i)` and `pc_value(i)` in a never claim; without the claim the model is three plain
 * steps.
 *
 * expect: plain 13 states 16 transitions 1 errors; default 13 states 16 transitions 1 errors; safety violated (invalid end state)
 * claim: plain 16 states 21 transitions 7 errors; default 16 states 21 transitions 7 errors; claim violated (end state in claim reached)
 */

byte x;

active [2] proctype p()
{
	x == _pid;
	x++;
	x++
}

never {
	do
	:: !enabled(1) && enabled(0) && pc_value(0) > pc_value(1) -> break
	:: true
	od
}
