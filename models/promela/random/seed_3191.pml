/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 8 states 9 transitions 2 errors; default 8 states 9 transitions 2 errors; safety violated (invalid end state)
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
  c!!x; L1: (-((x >> 2))); L2: run Q(1); select (i : 0 .. x%3); L3: false
}
active proctype P1() { byte i;
  x = 1
}
proctype Q(byte z) { byte i;
  y == 0 unless { b = 3 }; r!1
}
