/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 16 states 22 transitions 2 errors; default 16 states 22 transitions 2 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
inline f(z) { z = z + 1; if :: z > 2 -> z = 0 :: else fi; x = 1 }
inline g() { if :: x == 1 -> y = 1 :: atomic { else -> y = 2 } fi; f(y) }
active proctype P0() provided (x != 3) { byte i;
  i = ((_nr_pr | (h -> 2 : 3)) & a[0]); d!!x,2; i++; if :: y > 0 -> skip fi
}
active proctype P1() provided (x != 3) { byte i;
  atomic { i++; if :: 0 -> skip; for (i : 0 .. 2) { a[1]++ } :: if :: else -> i = 0; do :: i < 2 -> i++; skip :: else -> break od; if :: d_step { else -> c?1; skip } :: for (i in a) { x = 1 }; { r?y } unless { i = len(c) } fi fi fi } unless x = 1
}
