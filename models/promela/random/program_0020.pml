/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 13 states 19 transitions; default 13 states 19 transitions; safety holds
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
a[_pid]++;
y++
}
