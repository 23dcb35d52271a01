/*
 * `??` takes the first message that fits, wherever it is; `??[..]` asks whether there is one,
 * `?[..]` asks about the first.
 *
 * expect: plain 15 states 15 transitions; default 15 states 15 transitions; safety holds
 */

chan c = [3] of { byte, byte };
byte a, n;

active proctype p()
{
	c!1, 10;
	c!2, 20;
	c!2, 30;
	assert(c??[2, 30] && !c?[2, 20] && c?[1, 10] && !c??[3, 10]);
	c??2, a;
	assert(a == 20 && len(c) == 2);
	c??<2, a>;
	assert(a == 30 && len(c) == 2);
	c??a, 10;
	assert(a == 1);
	if
	:: c??3, a -> n = 1
	:: c??2, a -> n = 2
	fi;
	assert(n == 2 && empty(c))
}
