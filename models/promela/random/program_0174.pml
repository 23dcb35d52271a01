/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 27 states 43 transitions 1 errors; default 27 states 43 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
typedef T { bit u; byte w[2] };
T t;
T ts[2];
active proctype P0() { byte i, j;
skip;
d_step { a[x] != 3;
y = 1 - y };
y++;
skip;
d_step { t.u = 2 };
b = !b;
skip;
d_step { a[0] = ((1 / 3) ^ x) }
}
active proctype P1() { byte i, j;
b = !b;
if
:: else -> i != 0
fi;
t.u = ((y > 1) != (2 + 0))
}
