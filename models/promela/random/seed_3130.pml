/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 16 states 25 transitions 1 errors; default 16 states 25 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [2] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  skip; if :: d_step { else -> t.w[x%2] = (2 << 1); if :: if :: { else -> b = (len(c) -> (!(3) * 0) : ((_pid -> 2 : 3) << 2)) } :: !(y == 2); x = 1 fi fi } fi; do :: r?_ :: { { { { atomic { printf("x\n"); h = (((h < 1) <= (0 | 0)) -> (2 || (0 == 0)) : ((1 / 2) % 2)); r!1 } unless { r?1; false } }; for (i in a) { false }; skip }; select (i : 0 .. 2); x = 1 } unless x == 0 }; false od; r!1; assert(x < 9)
}
active proctype P1() { byte i;
  if :: len(r) == 0 -> { for (i in a) { c?eval(y); skip; d_step { c?[eval(x)] } }; { atomic { atomic { h = _nr_pr; t.w[x%2] = 2; x = 1; L2: printf("x\n") } } unless { x = 1; accept3: y++ } } }; x = 1 :: y != 0 -> do :: else -> break; if :: { { else -> do :: r?y; a[y%2] = 0 od; do :: skip; break; y == 0 :: { { else -> x = _pid } unless { y++ } } :: i < 1 -> x-- od } unless { skip; d_step { false; i = (((t.u -> _pid : a[1]) & (1 <= t.w[1])) % 3) } } } :: d_step { x = 1 }; for (i : 0 .. 2) { goto accept7; printf("x\n") } fi od :: ((x % 3)) -> { select (i : 0 .. x%3); progress4: skip; d_step { x = 1; y++ }; L5: x = 1 } unless { skip; d_step { skip; L6: false } }; t.w[x%2] = -(-(3)) fi; atomic { a[y%2] = ~(2); { d!1,y } unless false; { (i) } }; if :: t.w[x%2] = (((1 + 0) < (1 != 2)) & ~((1 > 1))) :: a[0] = (!((0 != 2)) * a[x%2]); atomic { i = 0; do :: i < 2 -> i++; i = 0; do :: i < 2 -> i++; y++; y++ :: else -> break od; assert(x < 9) :: else -> break od; c?1; d!!x,2; accept7: nfull(c) }; a[0] = (((_pid -> 3 : a[x%2]) > 2) * ~((2 == t.w[1]))) fi; select (i : 0 .. x%3)
}
