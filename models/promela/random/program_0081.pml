/*
 * A random program, drawn from the grammar.
 *
 * expect: plain 47 states 67 transitions 6 errors; default 47 states 67 transitions 6 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2;
byte a[5];
bool b;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan cs[2] = [1] of { byte };
active [2] proctype P0() provided (x != 3) { byte i, j;
a[_pid] = 1;
if
:: full(c) -> assert(x < 9);
x--
:: c!x;
skip
fi;
c?y
}
