/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 6 states 6 transitions 1 errors; default 6 states 6 transitions 1 errors; safety violated (invalid end state)
 */

#define SET(v, e) v = e
#define LESS(p, q) ((p) < (q))
#define BOTH(p, q) (p != 0 && q != 0)
#define LIMIT 2
unsigned x : 2, y : 2;
byte a[5];
bool b;
short s = 3;
int n = 1;
bit k;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
inline f(z) {
i = 0;
do
:: i < 2 -> i++;
y = 1 - y
:: else -> break
od
}
inline put(v, e) { v = e; b = 1 }
inline g() {
if
:: x == 1 -> y = 1
:: else -> y = 2
fi;
x = 1;
x++;
put(y, 0)
}
active [2] proctype P0() { byte i, j;
r!2
}
active proctype P1() { byte i, j;
y = 1 - y;
printf("%d %d\n", _pid, y);
printf("x\n");
c!1
}
