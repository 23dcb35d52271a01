/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 66 states 114 transitions 1 errors; default 66 states 114 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
short s = 3;
int n = 1;
bit k;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan cs[2] = [1] of { byte };
chan r = [0] of { byte };
active proctype P0() { byte i, j;
i--;
accept1: a[1] = (a[1] + 1) % 3;
for (i in a) {
if
:: nfull(c) -> break;
y++
:: (s <= 3 && a[1] >= 1) -> if
:: timeout -> r?1
:: else -> b--;
printf("x\n")
:: a[1] = (a[1] + 1) % 3;
c!0
fi
:: else
fi
}
}
active proctype P1() { byte i, j;
cs[0]!1;
L2: d!1(x);
x--
}
