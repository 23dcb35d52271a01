/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 984 states 3547 transitions; default 328 states 1183 transitions; safety holds
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
  do :: else -> select (i : 0 .. 2) od; accept1: if :: { f(y) }; x-- fi; x = 1; skip; d_step { d!!x,2; progress2: { x = 1; (((a[x%2] -> 1 : x) > -(y))); skip }; i = 0; do :: i < 2 -> i++; x = 3; false :: else -> break od }
}
active proctype P1() { byte i;
  if :: y++; run Q(1) :: else -> run Q(1) :: c?[1] -> printf("x\n") fi; { i = ((0 -> 2 : (t.w[y%2] & a[0])) -> a[0] : (a[0] == x)); L3: ((y ^ (len(c) - 0))) }; accept7: { { if :: x > 2 -> if :: if :: ((~(y) || (1 / 3))) -> f(y) fi; { x--; printf("x\n") } unless { r!2; accept4: r!1 } fi :: i < 3 -> f(x); do :: y < 2 -> atomic { d?1,y } :: d_step { { else -> printf("x\n") } } od fi } unless { { f(y) }; progress6: do :: { else -> atomic { if :: c?<y> fi; a[0] = ((1 % 2) & (y -> ~(x) : (t.w[y%2] - y))); atomic { assert(x < 9); L5: r!0 } } } od } }
}
proctype Q(byte z) { byte i;
  skip; d_step { a[y%2] = ((x & (1 << 0)) % 2); end8: d!1,y; L9: x = 1 }; x = (((1 <= t.w[1]) -> t.u : _pid) -> (2 || ~(1)) : -(!(3))); { { do :: d_step { x = 1 }; y++; if :: { else -> atomic { assert(x < 9); r!3; timeout } unless { a[0] = (((h & _nr_pr) <= (2 >> 1)) / 3); r!0 } } fi :: (t.w[y%2]) -> if :: i > 1 -> if :: nfull(r) -> d!!x,2 :: skip fi; { { i = !(1); b = ((~(len(c)) > 1) >> 2); !(y < 3) } unless a[1]++ } :: i == 1 -> if :: else -> break; t.u = x :: d_step { h = (((1 -> t.u : 3) > (len(c) < 1)) / 1) }; c?y fi :: d_step { else -> printf("x\n") } fi; !(x != 3) od; if :: i > 0 -> do :: y == 2 -> x = 1 od :: else -> if :: (((t.w[y%2] & x) % 3)) -> { x++; printf("x\n") }; assert(x < 9) :: i > 1 -> x = 1 fi fi; L11: do :: else -> d?1,y; select (i : 0 .. 2) od } unless atomic { false; L13: skip; d_step { for (i : 0 .. 2) { y++; L12: { false } }; (((3 / 1) < a[1])); i = 0; do :: i < 2 -> i++; i++ :: else -> break od } } }
}
