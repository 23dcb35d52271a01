/*
 * A global channel name is a variable: it can be set to another channel.
 *
 * expect: plain 15 states 18 transitions 2 errors; default 15 states 18 transitions 2 errors; safety violated (invalid end state)
 */

chan a = [1] of { byte };
chan b = [1] of { byte };

active proctype p()
{
	a = b;
	a!1;
	assert(full(b))
}

active proctype q()
{
	a!2
}
