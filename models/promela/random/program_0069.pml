/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 21 states 33 transitions; default 21 states 33 transitions; safety holds
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
active [2] proctype P0() { byte i, j;
y++;
x = 1;
L1: b = !b
}
