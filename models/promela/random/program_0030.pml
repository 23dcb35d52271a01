/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 13 states 19 transitions; default 13 states 19 transitions; safety holds
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
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
active proctype P0() { byte i, j;
y++;
a[1] = (a[1] + 1) % 3
}
active proctype P1() { byte i, j;
t.w[x % 2] = 1;
{ do
:: a[x] <= 3 -> i = 2
:: { { y = 1 - y } unless { SET(t.w[x % 2], (3 || a[0]));
{ break } unless { SET(i, (ts[x % 2].w[1] % 3));
x = 2;
x = 1 };
x = 1 } }
od }
}
