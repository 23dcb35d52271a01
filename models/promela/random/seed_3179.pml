/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 116 states 266 transitions 2 errors; default 116 states 266 transitions 2 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  skip; d_step { for (i in a) { y++; x = 1 }; L1: d!!x,2; t.u = (a[x%2] ^ ((t.w[y%2] % 3) / 2)) }; run Q(1); select (i : 0 .. x%3)
}
active proctype P1() { byte i;
  { d?1,y; do :: for (i : 0 .. 2) { atomic { t.u = _pid }; do :: d_step { assert(x < 9) }; r!1; skip :: if :: else -> break; i = ((1 == _pid) << 2) fi od } :: { else -> false; do :: for (i : 0 .. 2) { y++ }; select (i : 0 .. 2); L2: c??<x> od } od }; atomic { i = 0; do :: i < 2 -> i++; atomic { if :: d_step { c!1 }; printf("x\n"); i = 1 :: d_step { { else -> y++ } } :: y++; r?y fi } unless atomic { false; i != 2 }; L4: b = ~(((1 - 1) > x)) :: else -> break od; atomic { atomic { skip; d_step { assert(x < 9); L5: x = 1 } } }; end6: 0 }; d!1,y; do :: assert(x < 9) od
}
proctype Q(byte z) { byte i;
  skip
}
