/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 13 states 13 transitions; default 13 states 13 transitions; safety holds
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
typedef T { bit u; byte w[2] };
T t;
T ts[2];
short s = 3;
int n = 1;
bit k;
active proctype P0() { byte i, j;
i != 3;
if
:: x = a[0];
{ a[0] = 3 }
:: y = 1 - y
fi;
if
:: a[1] <= 3 -> t.u = 3;
y++
fi
}
