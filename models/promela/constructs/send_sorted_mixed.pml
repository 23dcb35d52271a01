/*
 * `!!` into a channel that was filled by `!`: it is put before the first larger one, though the
 * rest is not sorted; two senders.
 *
 * expect: plain 88 states 157 transitions; default 88 states 157 transitions; safety holds
 */

chan c = [4] of { byte };
byte a;

active [2] proctype p()
{
	c!3 - _pid;
	c!!2
}

active proctype q()
{
	do
	:: c?a -> a = 0
	:: timeout -> break
	od
}
