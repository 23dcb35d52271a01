/*
 * Values of operators: signs of / and %, shifts, bit operations, and the precedence of C.
 *
 * expect: plain 19 states 19 transitions; default 19 states 19 transitions; safety holds
 */

int a = -7, b = 2;
int r[14];

active proctype p()
{
	r[0] = a / b;
	r[1] = a % b;
	r[2] = a >> 1;
	r[3] = a << 2;
	r[4] = ~a;
	r[5] = a & 12;
	r[6] = a | 8;
	r[7] = a ^ 5;
	r[8] = !a;
	r[9] = 1 + 2 * 3 - 4 / 2;
	r[10] = (b == 2) + (b > 1) + (a < b && b);
	r[11] = 1 << b + 1;
	r[12] = 6 & 2 == 2;
	r[13] = 5 ^ 3 & 1;
	assert(r[0] == -3 && r[1] == -1 && r[2] == -4 && r[3] == -28);
	assert(r[4] == 6 && r[5] == 8 && r[6] == -7 && r[7] == -4 && r[8] == 0);
	assert(r[9] == 5 && r[10] == 3 && r[11] == 8 && r[12] == 0 && r[13] == 4)
}
