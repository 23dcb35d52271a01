/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 20 states 29 transitions 1 errors; default 20 states 29 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
typedef T { bit u; byte w[2] };
T t;
T ts[2];
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i, j;
i != 2;
d?x,y;
accept1: skip;
d_step { c!x;
i = 0;
do
:: i < 2 -> i++;
break;
{ for (i in ts) {
x = 1
} }
:: else -> break
od }
}
active proctype P1() { byte i, j;
if
:: i > 2 || a[x] != 3 -> x = 1;
a[1] = (a[1] + 1) % 3
:: if
:: else -> ts[y % 2].w[0]--;
for (i : 0 .. 2) {
do
:: (b) -> if
:: t.u--;
assert(ts[x % 2].w[1] == 3);
a[1] = y
fi
od;
y++
}
fi
fi;
printf("x\n");
skip;
d_step { a[0]++ };
t.w[x % 2] = ((_pid + i) % 2);
assert(t.u == 0)
}
