/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 9 states 11 transitions; default 5 states 7 transitions; safety holds
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
inline f(z) { z = z + 1; if :: z > 2 -> z = 0 :: else fi; x = 1 }
inline g() { if :: x == 1 -> y = 1 :: atomic { else -> y = 2 } fi; f(y) }
active proctype P0() { byte i;
  { a[y%2] = (3 - (2 <= (2 < 3))); select (i : 0 .. 2); y++ }
}
