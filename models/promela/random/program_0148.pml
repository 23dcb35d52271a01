/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 57 states 120 transitions 1 errors; default 57 states 120 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i, j;
y = 1 - y;
atomic { x--;
r!x;
x = 2;
a[1] = 1 };
do
:: else;
break;
y = 3
od;
!(i > 2);
x = 1
}
init { byte i, j;
run Q(y);
b = 0;
assert(x < 9)
}
proctype Q(byte z) { byte i, j;
z = (1 - _pid);
a[1] = (a[1] + 1) % 3;
assert(y < 9)
}
