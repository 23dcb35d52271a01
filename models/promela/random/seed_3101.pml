/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 10 states 14 transitions 3 errors; default 10 states 14 transitions 3 errors; safety violated (assertion)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  empty(c); assert(y == 2)
}
active proctype P1() { byte i;
  skip
}
