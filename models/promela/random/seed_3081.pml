/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 14 states 20 transitions 1 errors; default 14 states 20 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
inline f(z) { z = z + 1; if :: z > 2 -> z = 0 :: else fi; x = 1 }
inline g() { if :: x == 1 -> y = 1 :: atomic { else -> y = 2 } fi; f(y) }
active proctype P0() { byte i;
  x != 3
}
active proctype P1() { byte i;
  { atomic { i = 0; do :: i < 2 -> i++; break :: else -> break od } unless y++ }; f(x); for (i in a) { r?_; do :: len(r) == 0 -> { { for (i : 0 .. 2) { x > 0 } } unless atomic { if :: i > 2 -> a[0] = (a[0] <= ((1 ^ y) >= (0 + 3))) fi } } :: select (i : 0 .. 2); r?1 od }; false
}
