/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 47 states 68 transitions 2 errors; default 47 states 68 transitions 2 errors; safety violated (invalid end state)
 */

mtype = { red, green };
mtype m = red, q;
chan mc = [1] of { mtype, byte };
unsigned x : 2, y : 2;
byte a[5];
bool b;
chan e = [2] of { byte };
active proctype P0() { byte i, j;
xs e;
e!1;
skip;
if
:: a[1] >= 1 -> do
:: (i == 2 && i < 0);
do
:: break;
y = 0
:: (((_nr_pr -> 1 : a[1]) -> (a[1] >= 0) : !(0))) -> do
:: printf("%d\n", x);
i = 1;
a[1] = (a[1] + 1) % 3
:: break;
skip;
break
:: b = !b;
a[1] = (a[1] + 1) % 3
od;
skip
od
od
:: _nr_pr >= 2 -> y = 1 - y
:: _pid == 3 -> b = !b;
i = 0
fi
}
active proctype P1() { byte i, j;
xr e;
e?x;
y = 1 - y;
if
:: else
:: y = 1 - y;
b >= 1;
skip
:: x--;
y = 0;
y++
fi;
x++
}
