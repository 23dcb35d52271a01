/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 7 states 9 transitions; default 7 states 9 transitions; safety holds
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
chan e = [2] of { byte };
active [2] proctype P0() { byte i, j;
x++
}
