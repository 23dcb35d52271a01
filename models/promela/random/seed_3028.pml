/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 176 states 353 transitions; default 153 states 307 transitions; safety holds
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  for (i in a) { atomic { if :: !(r?[1]) -> !(y != 2); { { y++; printf("x\n"); skip } unless nfull(r) } :: { d!!x,2; d!!x,2 } :: { { else -> r?[1]; L1: atomic { y++; printf("x\n"); x = 1; c?y } } unless { atomic { x = 1; accept2: (((y -> a[1] : 0) -> (1 + 2) : 1)); end3: empty(r); y++ } } } fi }; break }; for (i in a) { do :: x < 2 -> atomic { x = 1 } od; (((_nr_pr -> i : _pid) > (3 || x))) }; atomic { t.u = 1 }; if :: { goto end10; if :: { { else -> select (i : 0 .. x%3) } unless { skip; d_step { false; assert(x < 9) } } } :: nempty(d) -> skip; L4: for (i : 0 .. 2) { goto accept2; break } :: x == 1 -> skip; d_step { y == 1; L5: y++; y = (-(0) && (2 ^ (_nr_pr / 3))) }; run Q(1) fi; { t.w[x%2] = ~((t.u && (1 == 3))); do :: 0 -> assert(x < 9) :: d!!x,2; L6: printf("x\n") :: r?[1] -> y++; printf("x\n") od; { c!!x unless c?[1] } } }; { { d!!x,2; x = 1 } unless { c!3 } } :: ((2 > y)); do :: d_step { else -> c??<x>; atomic { x = 1 } } od; select (i : 0 .. x%3) fi; end10: do :: i == 3 -> false od
}
active proctype P1() { byte i;
  y++; i = (3 -> (0 == t.u) : ~((t.w[1] * 2))); b = (((a[x%2] <= x) / 2) + ((2 < _pid) ^ (0 / 2))); do :: y++; if :: false -> atomic { h = 0; if :: d_step { b = 1; a[0] = -(y) }; break; r!3 :: i != 0 -> (!(i)); y++ :: nempty(d) -> (((h == 2) + (a[1] >= _pid))) fi; { { assert(x < 9) } unless { b = -(!((t.w[y%2] -> 1 : 0))); y < 2 } }; x-- }; false :: for (i : 0 .. 2) { r?eval(x) }; skip; select (i : 0 .. x%3) :: skip; d_step { x = 1 } fi od
}
proctype Q(byte z) { byte i;
  atomic { x = h; a[0] = (((1 < t.u) -> (0 ^ 2) : (2 * 1)) -> (2 << 0) : ((3 % 3) <= t.w[y%2])) }; if :: else -> r!0; false fi; select (i : 0 .. 2)
}
