/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 13 states 13 transitions 3 errors; default 5 states 7 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  select (i : 0 .. 2); h = t.w[1]; (2); accept1: skip; d_step { d?1,y }; end2: x = -(((3 || a[1]) % 1))
}
