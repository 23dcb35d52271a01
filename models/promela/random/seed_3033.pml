/*
 * A random program, drawn from the grammar: control flow, channels, expressions.
 *
 * expect: plain 9 states 12 transitions 1 errors; default 9 states 12 transitions 1 errors; safety violated (invalid end state)
 */

unsigned x : 2, y : 2; byte a[2]; bool b;
typedef T { bit u; byte w[2] }; T t;
byte h;
chan c = [1] of { byte };
chan d = [2] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte i;
  if :: { { assert(x < 9); d?2(i) } unless { run Q(1) } }; select (i : 0 .. x%3); progress1: y++ fi; x > 3; L2: if :: if :: else -> c!!x fi fi
}
proctype Q(byte z) { byte i;
  d!!x,2; { ((2 / 3)) }
}
