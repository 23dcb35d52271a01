/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 22 states 29 transitions; default 18 states 23 transitions; safety holds
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  c?<y>; if :: !(i != 1) -> d!!x,2; if :: x > 2 -> select (i : 0 .. 2) :: false -> ((-(y) % 3)); accept3: skip; d_step { x = (a[x%2] >> 1); L1: atomic { d?x,y }; end2: if :: else -> y++ fi } :: else -> { a[y%2] = x unless atomic { skip; d_step { !(x != 1); accept4: a[0] = ((x < a[0]) & ((x + t.w[1]) | (a[x%2] != _nr_pr))); a[y%2] = (a[x%2] >> 1) } } }; end5: skip; d_step { h = a[0]; (2) } fi :: d_step { false }; do :: atomic { else -> { { x = 0; false } unless { c?eval(y) } }; atomic { r?y } } od :: else -> y++; false fi; { r!0; atomic { skip; d_step { if :: ((1 ^ y)) -> x = 1 :: len(c) == 1 -> i < 1 :: y != 0 -> y++; d!!x,2 fi; accept6: if :: !(i == 2) -> false; x = 1 :: y++; x = !((0 / 3)); printf("x\n") fi; i = 0; do :: i < 2 -> i++; skip :: else -> break od }; for (i : 0 .. 2) { a[0] = (((a[0] != 1) -> (0 && 3) : 3) -> ((2 | h) / 3) : y) } } unless { do :: { c?<y>; r?_ } :: { else -> if :: !(x < 2) -> nempty(c) :: { else -> d!!x,2 } :: printf("x\n"); goto end5 fi } od; for (i : 0 .. 2) { if :: if :: else -> r?1 fi :: full(c) -> a[0] = ((0 - (a[0] > 0)) ^ (2 <= 3)) :: d_step { a[y%2] = 0 }; y++; y = t.u fi; end7: t.w[x%2] = x } }; d!!x,2 }; y = i
}
active proctype P1() { byte i;
  for (i : 0 .. 2) { t.w[x%2] = ((0 % 2) / 2); do :: d_step { if :: y++ :: skip -> i = (t.w[1] -> -((t.w[1] ^ 2)) : ((0 << 2) - ~(y))) fi }; select (i : 0 .. 2); do :: for (i in a) { y = ((2 % 1) || -((len(c) << 2))) } :: true; { printf("x\n") } unless { skip } od od }; L16: do :: x == 2 -> r!0 :: empty(r) -> i = 1; do :: { else -> b = 1 } od :: (((a[1] / 3) <= 3)); for (i in a) { i = (((y == t.u) <= (0 + 1)) || (0 & -(t.w[y%2]))); end14: atomic { if :: c??[2] -> h = (!(a[1]) ^ a[x%2]); progress9: y++ :: break; accept10: break; L11: full(r) fi; L13: skip; d_step { (0); x = 1; progress12: d!!x,2 } } }; end15: x < 1 od; if :: atomic { skip; d_step { atomic { assert(x < 9) }; false } } fi; { { if :: atomic { else -> x = 1 } fi; do :: y != 3 -> select (i : 0 .. 2); L17: if :: d!1,y fi :: if :: d_step { t.w[x%2] = (((2 - 0) % 1) -> ((3 <= 3) / 2) : (t.w[1] == 3)) }; a[y%2] = (2 | (0 <= (2 & 3))); d?x,y fi; do :: atomic { else -> a[y%2] = (a[0] % 1) } od :: { else -> skip } od } unless atomic { { atomic { y = t.w[y%2]; r!2 } unless { c!1 } } } }
}
