/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 84 states 111 transitions 9 errors; default 84 states 111 transitions 9 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  { for (i : 0 .. 2) { y++ } }
}
active proctype P1() { byte i;
  atomic { i = 0; do :: i < 2 -> i++; if :: !(x < 3) -> x = (((x % 3) -> (3 & 3) : (1 -> 2 : _pid)) || 3); y++ :: i++ :: i != 3 -> y = ((0 || 3) - (a[x%2] == ~(x))); x-- fi; atomic { atomic { t.u = -((_nr_pr -> (a[1] > 1) : 0)) }; atomic { t.u = (((x > _pid) >= 1) >= ((0 & 1) -> (a[1] <= _pid) : (h > 3))); d!!x,2; x--; L1: h = (((t.w[y%2] || 0) && (3 != 2)) / 1) }; { y++ } unless { h = (0 / 1) } } :: else -> break od; for (i : 0 .. 2) { i = 0; do :: i < 2 -> i++; if :: else -> false fi :: else -> break od; c?<y> unless t.w[x%2] = (1 - ((1 & 0) -> (1 * 1) : (2 & a[0]))) }; if :: { else -> y = y } fi; if :: atomic { for (i in a) { assert(x > 3) }; y++; false }; if :: else -> for (i : 0 .. 2) { a[y%2] = (((2 * 0) <= 1) -> ((0 > 3) >= _pid) : 0) }; x = 1 :: skip; d_step { (((0 / 1) > !(y))) }; c!!x :: x == 3 -> i = 0; do :: i < 2 -> i++; t.u = 3 :: else -> break od fi :: else -> if :: d_step { { else -> y = t.w[y%2] } } :: i = 0; do :: i < 2 -> i++; a[0] = ((i >> 0) / 2) :: else -> break od fi; skip; d_step { y++; end3: false } fi }
}
