/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 16 states 16 transitions 3 errors; default 16 states 16 transitions 3 errors; safety violated (assertion, invalid end state)
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
  atomic { skip }; skip; d_step { if :: atomic { x = 1 }; y++; printf("x\n") :: atomic { else -> atomic { i != 3; x = 1; !(y > 1); x != 0 }; accept1: select (i : 0 .. 2) } fi; progress2: empty(r) }; if :: d_step { { i = 0; do :: i < 2 -> i++; break; L3: c?[1] :: else -> break od; accept4: atomic { x = 1; f(x); i++ }; L5: y++ } }; { select (i : 0 .. 2); run Q(x); atomic { i = 0; do :: i < 2 -> i++; skip; break :: else -> break od } } unless { if :: assert(y == 1); { run Q(x); x = 1; c??[2] } :: x = 1 :: y < 2 -> x = 1 fi }; y++ fi; for (i : 0 .. 2) { skip; d_step { if :: nfull(c) -> assert(i < 1) :: nempty(d) -> if :: x++; y++ :: else -> ((h % 3)); i++ fi; y = 2 :: false; select (i : 0 .. 2) fi }; if :: i == 0 -> atomic { { x = 1; end7: break } unless { d!!x,2; false }; false } :: d_step { else -> i == 3 } :: if :: (((t.w[y%2] < 2) ^ (3 != 2))) -> for (i in a) { a[y%2] = (((len(c) << 2) - -(a[x%2])) % 2) } fi; skip; d_step { i = 0; do :: i < 2 -> i++; i++; d?1,y :: else -> break od; progress8: c?eval(y) }; atomic { !(y < 1); t.u = (((1 >= 0) || 1) != t.u); accept9: if :: x != 3 -> y = 0; a[1]++ fi } fi }; atomic { { if :: { else -> atomic { printf("x\n"); f(y) }; i = 0; do :: i < 2 -> i++; timeout :: else -> break od } fi; atomic { for (i : 0 .. 2) { t.u = 2; empty(r) } } } }
}
proctype Q(byte z) { byte i;
  r?_; { { if :: if :: else -> if :: d_step { { else -> false; end12: y = a[1] } } fi fi :: { { atomic { x = 1; c?1; c?<y> } } unless { b = x; goto accept14 } } fi; L13: h = x } unless { atomic { { i = (t.w[1] < ((t.w[1] * x) ^ (i && 0))); accept14: t.w[x%2] = 2 } unless { { { c!1; end15: skip } unless false } }; atomic { x = 1; for (i in a) { x = 1 } }; i = 0; do :: i < 2 -> i++; for (i in a) { break } :: else -> break od }; skip } }
}
