/*
 * Records in arrays in records; elements are set, compared and sent one by one or whole.
 *
 * expect: plain 11 states 11 transitions; default 11 states 11 transitions; safety holds
 */

typedef In { byte v[2]; bool set };
typedef Out { In part[2]; byte n };

Out o[2];
chan c = [1] of { In };

active proctype p()
{
	In copy;

	o[0].part[1].v[0] = 3;
	o[0].part[1].set = true;
	o[1].n = o[0].part[1].v[0] + 1;
	c!o[0].part[1];
	c?copy;
	assert(copy.v[0] == 3 && copy.set && copy.v[1] == 0);
	c!copy;
	c?o[1].part[0];
	assert(o[1].part[0].v[0] == 3 && o[1].n == 4)
}
