/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 12 states 18 transitions 1 errors; default 12 states 18 transitions 1 errors; safety violated (invalid end state)
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
chan cs[2] = [1] of { byte };
active proctype P0() { byte i, j;
x = 1;
do
:: i <= 2;
{ if
:: y++;
!(a[x] >= 0);
y++
:: else -> if
:: cs[x % 2]!2;
break
:: ts[y % 2].w[0] = 2;
x++;
printf("x\n")
:: a[1] == 1 -> x++;
x = a[x]
fi;
a[1] = (a[1] + 1) % 3
fi };
if
:: else -> assert(_pid == 1)
fi
od;
assert(b < 9);
b = !b
}
active proctype P1() { byte i, j;
skip
}
