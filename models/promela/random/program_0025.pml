/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 15 states 25 transitions; default 15 states 25 transitions; safety holds
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active [2] proctype P0() { byte i, j;
a[_pid] != 2
}
active proctype P1() { byte i, j;
a[_pid] = (i -> a[1] : y)
}
