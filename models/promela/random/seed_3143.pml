/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 14 states 16 transitions 1 errors; default 5 states 7 transitions 1 errors; safety violated (invalid end state)
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
  r?_; goto accept3; skip; d_step { d?x,y; for (i : 0 .. 2) { if :: i = 0; do :: i < 2 -> i++; f(x) :: else -> break od; i = 0; do :: i < 2 -> i++; a[0] = h :: else -> break od :: c??[2] -> d?2(i) :: for (i : 0 .. 2) { x = 3; x = 1 }; L1: x-- fi }; L2: { y++; select (i : 0 .. 2); y++ } }; atomic { printf("x\n"); { atomic { select (i : 0 .. x%3) } unless atomic { (-(!(2))) unless { { { x = 1; d!1,y; t.u = 3 } unless { run Q(1) } }; if :: len(r) == 0; c??[2]; skip fi }; { { run Q(1); skip; r!3 }; i = 0; do :: i < 2 -> i++; a[0] = (_pid && (1 > 2)); accept3: x-- :: else -> break od } } } }; { atomic { (2); progress5: c!!x } unless { r!0; atomic { if :: len(r) == 0 -> { { y++; y++; i == 0 } unless { skip } } :: i = 0; do :: i < 2 -> i++; break :: else -> break od; (((0 / 1) >= -(y))) :: else -> skip; d_step { c??[2]; false; skip }; if :: else -> t.u = -(((0 >> 1) | 2)); i != 3 :: y > 3 -> false fi fi; y++; atomic { select (i : 0 .. x%3); for (i : 0 .. 2) { y > 0 }; y = 0 } } } }
}
active proctype P1() { byte i;
  select (i : 0 .. 2); printf("x\n"); { y++ }; skip
}
proctype Q(byte z) { byte i;
  if :: (len(c)) -> if :: atomic { else -> { atomic { t.u = ((1 >> 2) / 3) } unless { a[0] = -(((2 -> 0 : 2) > y)); nfull(r) } }; 1 } :: true -> atomic { atomic { y++ } unless { printf("x\n"); printf("x\n") }; assert(x < 9); assert(x < 9) }; L7: if :: d_step { { else -> x = 1 } } :: do :: (1) -> i > 3 od; skip; d_step { y++; timeout; f(x) }; b = (t.w[y%2] != ((i -> i : 1) << 0)) fi fi :: d_step { i = (((3 >> 1) - x) != (0 & (2 / 1))); for (i : 0 .. 2) { select (i : 0 .. 2); L8: assert(x < 9) } }; goto L7; L9: d!!x,2 fi; L11: atomic { if :: atomic { i = 0; do :: i < 2 -> i++; d?x,y :: else -> break od; t.u = (((3 ^ 0) -> (h * h) : 2) == 0) }; atomic { i = 0; do :: i < 2 -> i++; y++ :: else -> break od; select (i : 0 .. 2); y++ } fi; L10: select (i : 0 .. 2); atomic { full(r) } }
}
