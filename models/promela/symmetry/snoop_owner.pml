// As snoop_copy; the owner is looked for first, then asked.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
#define NONE 255
byte st[N]; byte val[N]; byte mem;
proctype cache(byte me) {
  byte i, o = NONE;
  do
  :: d_step { st[me] == 0 ->
       o = NONE;
       i = 0; do :: i < N -> if :: st[i] == 2 -> o = i :: else fi; i++ :: else -> break od;
       if :: o != NONE -> mem = val[o]; st[o] = 1 :: else fi;
       st[me] = 1; val[me] = mem; o = NONE; i = 0 }
  :: d_step { st[me] == 1 ->
       for (i : 0 .. N-1) { if :: i != me -> st[i] = 0; val[i] = 0 :: else fi }
       st[me] = 2; i = 0 }
  :: d_step { st[me] == 2 -> val[me] = 1 - val[me] }
  :: d_step { st[me] == 2 -> mem = val[me]; st[me] = 0; val[me] = 0 }
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run cache(k) } } }
