/*
 * Values are cut to their types when they are assigned, not before. (A literal -2147483648 is not
 * itself in pan: it is read as 2147483648, cut, and negated in wider arithmetic.)
 *
 * expect: plain 19 states 19 transitions; default 19 states 19 transitions; safety holds
 */

byte b = 255;
short s = 32767;
int i = 2147483647;
bit t = 1;
bool l;

active proctype p()
{
	assert(b + 1 == 256);
	b = b + 1;
	assert(b == 0);
	b--;
	assert(b == 255);
	s++;
	assert(s == -32768);
	i = i + 1;
	assert(i < 0 && i + 2147483647 == -1);
	t++;
	assert(t == 0);
	t--;
	assert(t == 1);
	l = 2;
	assert(l == 0);
	l = 7;
	assert(l == 1)
}

// warning 29:6: 2 does not fit; 0 is what is left of it
// warning 31:6: 7 does not fit; 1 is what is left of it
