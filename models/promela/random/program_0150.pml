/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 31 states 62 transitions; default 31 states 62 transitions; safety holds
 */

#define SET(v, e) v = e
#define LESS(p, q) ((p) < (q))
#define BOTH(p, q) (p != 0 && q != 0)
#define LIMIT 2
unsigned x : 2, y : 2;
byte a[5];
bool b;
typedef T { bit u; byte w[2] };
T t;
T ts[2];
short s = 3;
int n = 1;
bit k;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
chan e = [2] of { byte };
active proctype P0() { byte i, j;
xs e;
e!1;
{ if
:: a[0] = 0;
if
:: ts[0].u > 0;
skip;
y = 1 - y
:: else -> do
:: ts[y % 2].w[0] = 3
:: t.w[1] = (3 -> n : x);
break
od
fi
:: else -> do
:: i != 3 -> x++
:: else -> x++
:: t.w[x % 2] = 0;
SET(b, 1)
od;
c!x
fi }
}
active proctype P1() { byte i, j;
xr e;
e?x;
if
:: a[1] == 2 -> if
:: skip
fi
:: c?x;
printf("x\n")
:: skip;
t.w[1] = t.w[1];
a[1] = 0
fi;
do
:: else
od
}
