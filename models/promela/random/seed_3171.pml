/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 28 states 70 transitions 3 errors; default 12 states 34 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  select (i : 0 .. 2); atomic { { assert(x < 9); atomic { select (i : 0 .. 2) }; d?1,y } unless { false; if :: d_step { x = 1; y++ }; skip; d_step { x = 1 }; accept1: i = _pid :: false; false; atomic { x == 2; x < 1; y++ } :: { { else -> i = 0; do :: i < 2 -> i++; d?2(i); break :: else -> break od } unless { i = 0; do :: i < 2 -> i++; printf("x\n") :: else -> break od } } fi } }; if :: else -> select (i : 0 .. x%3); y++ :: (1) -> do :: { else -> if :: if :: else -> { y = t.w[1]; y++ } unless { h = (((a[1] + 2) / 1) -> ~(0) : (3 || 2)); goto accept3 } fi :: assert(x < 9); accept3: { 1; x = 1 } :: y < 2; y++ fi } od; accept6: skip; d_step { select (i : 0 .. x%3); t.w[x%2] = (-((0 && 0)) % 1); L5: i = 0; do :: i < 2 -> i++; atomic { x = (((3 - t.w[y%2]) << 2) / 1); c!!x; b = ((x % 1) & a[0]); L4: false } :: else -> break od } fi; r?y; run Q(1)
}
active proctype P1() { byte i;
  if :: (1) -> { do :: y != 0 -> timeout :: d_step { y++; t.w[x%2] = 1 }; i != 2 od; printf("x\n"); b = ((-(1) ^ (a[1] % 1)) && ((1 -> 0 : 2) * (y != 0))) } unless { { atomic { d!!x,2; r!0 } } unless true; skip; d_step { x > 0; skip; progress7: y++ } } fi; L10: { { if :: d_step { else -> i > 2 } :: { x = 1 unless { skip; false } }; { false; assert(x < 9); r?_ } unless { r?eval(x); goto accept12 }; x = 1 :: i < 3 -> if :: x < 0 -> printf("x\n") fi; L9: atomic { false } fi } }; do :: atomic { x++; { { assert(x < 9); y++ } unless atomic { y = 0; false } }; i = 0; do :: i < 2 -> i++; skip; d_step { ((1 >> 2)) }; accept12: if :: (((t.u % 3) == -(3))) -> x = 1; y++ :: { else -> i++; end11: false } :: d_step { skip }; x = 1 fi :: else -> break od } :: ((a[1] / 2)) -> y++; for (i : 0 .. 2) { skip; d_step { c!!x; for (i in a) { false; y > 2 } }; x = 3 } od
}
proctype Q(byte z) { byte i;
  x++; progress13: r!1; { timeout unless { select (i : 0 .. 2); h = (!((i && 2)) || 0) } }
}
