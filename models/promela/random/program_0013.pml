/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 13 states 19 transitions; default 13 states 19 transitions; safety holds
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active [2] proctype P0() { byte i, j;
printf("%d\n", x);
assert(b < 9)
}
