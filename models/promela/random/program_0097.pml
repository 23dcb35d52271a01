/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 20 states 37 transitions 2 errors; default 20 states 37 transitions 2 errors; safety violated (invalid end state)
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
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
active [2] proctype P0() { byte i, j;
x = 1
}
active proctype P1() { byte i, j;
do
:: x = 1;
if
:: { else -> do
:: else -> t.w[1] = 0;
if
:: a[1] = 1;
d!2,y
:: { else -> SET(t.w[1], _pid);
x-- }
:: a[1] <= 2 -> x = (3 % 3)
fi
:: atomic { (2) -> atomic { c?x;
assert(x < 9) } };
(((y | 3) & 1))
od;
SET(a[1], (a[_pid] >= a[_pid])) }
:: t.w[y % 2] == 2;
c?x
:: a[_pid] <= 1 -> ((1 >= 3))
fi
od;
a[_pid] = 0
}
