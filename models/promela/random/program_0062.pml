/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 267 states 453 transitions 6 errors; default 267 states 453 transitions 6 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan cs[2] = [1] of { byte };
inline f(z) {
a[1] = (a[1] + 1) % 3;
assert(x < 9)
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: else
fi;
y = 1 - y;
for (i : 0 .. 2) {
a[1] = (a[1] + 1) % 3;
y = (_pid >= y)
};
put(y, 0)
}
active proctype P0() provided (_pid == 0 || y < 2) { byte i, j;
for (i : 0 .. 2) {
if
:: else -> y++
:: !(x == 1) -> { { g();
c?y } unless { printf("%d\n", x);
printf("%d\n", x);
assert(x < 9) } }
:: x == 0 -> do
:: else;
if
:: { else -> a[x] <= 3 || b > 2 }
:: a[x] >= 3 -> y = 2;
x >= 2
fi
:: c!x;
if
:: a[x] <= 3 -> printf("%d\n", x);
0
:: if
:: else -> a[1] != 3
fi
fi
od
fi;
x++
}
}
active proctype P1() provided (_pid == 0 || y < 2) { byte i, j;
if
:: ((0 -> (0 -> 3 : 0) : (a[x] | 3))) -> if
:: b > 3 -> { { x-- };
for (i in a) {
y <= 0;
put(x, 1)
};
do
:: else;
y--
od } unless d!0,y
:: f(x)
fi
:: else -> a[0] >= 3
:: y <= 3 -> d?2(y);
b = !b unless { x = 1;
{ y >= 2;
y = 1 - y;
y++ } }
fi;
x--;
{ x = 1 unless { y++ } }
}
