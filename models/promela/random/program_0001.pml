/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 28 states 61 transitions 1 errors; default 28 states 61 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
typedef T { bit u; byte w[2] };
T t;
T ts[2];
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active [2] proctype P0() { byte i, j;
y++;
d?x,y
}
active [2] proctype P1() { byte i, j;
t.w[x % 2] = 3
}
