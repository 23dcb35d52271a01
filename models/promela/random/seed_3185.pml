/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 188 states 346 transitions; default 148 states 276 transitions; safety holds
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  if :: if :: else -> y++; skip; d_step { c?1; printf("x\n") } fi fi
}
active proctype P1() { byte i;
  select (i : 0 .. 2); if :: (2) -> if :: d_step { x = 1 }; skip; d_step { if :: atomic { else -> i++ } :: !(y == 0) -> false; false :: nfull(r) -> i < 0 fi } :: else -> timeout fi fi; goto end1; do :: len(c) == 1 -> x = x :: do :: skip -> if :: atomic { printf("x\n") }; for (i : 0 .. 2) { t.u = (3 -> 3 : ((_pid + t.w[1]) < (2 >= 3))) }; select (i : 0 .. 2) :: atomic { else -> c!!x; end1: y++ } fi od od; r!2
}
