/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 8 states 9 transitions 1 errors; default 7 states 8 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  do :: printf("x\n"); for (i : 0 .. 2) { do :: c?[eval(x)] -> false; skip :: !(i == 3) -> d?2(i) :: d_step { t.u = 3 }; b = (y < (!(y) % 1)); do :: { { else -> y < 1 } unless { false } } :: nempty(d) -> printf("x\n"); L1: t.w[x%2] = (3 % 1) :: !(x == 0) -> y++ od od; do :: if :: d_step { d!1,y }; goto L1 fi; false :: d_step { (((3 -> a[0] : _nr_pr) != (3 | len(c)))) }; if :: break :: else -> b = ((2 / 2) | ~(-(_nr_pr))); skip :: y < 3 -> x = 1; x-- fi; assert(x == 3) od }; L4: { false; { assert(i == 1) unless { do :: d_step { else -> false } :: d_step { x = 3 }; printf("x\n"); t.u = t.w[y%2] od } } } unless { do :: b = ((len(c) == 1) || 0) od; for (i in a) { for (i in a) { false }; a[y%2] = 3 } } od
}
proctype Q(byte z) { byte i;
  atomic { for (i in a) { if :: { { else -> assert(x == 3) unless { y > 0; a[0] = (((t.w[1] >= 1) & (3 | a[1])) >= ((3 -> 1 : h) >> 2)) }; full(c) } unless { i = 0; do :: i < 2 -> i++; timeout :: else -> break od } } :: !(x < 0) -> assert(y < 2); progress5: break fi; for (i : 0 .. 2) { h = (((_nr_pr -> 1 : i) << 1) || ((3 -> 3 : 0) <= (y >> 2))); x++ } } }; { { { if :: do :: d_step { { else -> skip } } od; L6: { goto L10 unless printf("x\n") } fi; end8: { { atomic { printf("x\n"); y++; x = 1; assert(i == 1) }; L7: (2) } unless { false } }; atomic { if :: true -> x = 1; i = 1 fi } unless { skip; accept9: do :: (((len(c) | x) / 2)) -> (0); goto accept9 :: full(r) -> r?eval(x); y++ :: x == 1 -> r?1; a[1]++ od } } unless { x = ((!(t.u) == (_nr_pr -> x : a[1])) < y) } } }; atomic { x = 1; i = 0; do :: i < 2 -> i++; c!0; assert(x != 0) :: else -> break od; false; L10: skip; d_step { y++; t.w[x%2] = -(a[0]) } }
}
