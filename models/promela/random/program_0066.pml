/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 25 states 35 transitions; default 16 states 24 transitions; safety holds
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan cs[2] = [1] of { byte };
active proctype P0() { byte i, j;
x = 1;
skip;
d_step { c!0;
if
:: y != 3 -> i = 0;
do
:: i < 2 -> i++;
a[1] = (a[1] + 1) % 3;
skip
:: else -> break
od;
if
:: _pid <= 2 -> x--;
end1: x = 1
:: y < 3 -> x--;
y++
fi
fi };
skip
}
active proctype P1() { byte i, j;
x = ~((a[0] > 2))
}
