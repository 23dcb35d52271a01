/*
 * A receiver that is busy with itself is not ready: the sender loses control inside its block.
 *
 * expect: plain 42 states 80 transitions 6 errors; default 29 states 52 transitions 4 errors; safety violated (assertion)
 */

chan c = [0] of { byte };
byte inside;

active proctype receiver()
{
	byte got, copy;

end:	do
	:: c?got; copy = got; copy = copy + 1
	od
}

active proctype sender()
{
	c!1;
	atomic { inside = 1; c!2; inside = 0 }
}

active proctype watcher()
{
	assert(inside != 1)
}
