// A scan that remembers the last cache with a dirty line, although two can have one: no symmetry.
// setting: -DN=2 order 1
// setting: -DN=3 order 1
bool dirty[N]; bit val[N]; bit mem;
proctype cache(byte me) {
  byte i;
  do
  :: dirty[me] = true
  :: mem == 1 && !dirty[me] -> val[me] = 0
  :: val[me] = 1 - val[me]
  :: d_step { dirty[me] -> for (i : 0 .. N-1) { if :: dirty[i] -> mem = val[i]; dirty[i] = false :: else fi } i = 0 }
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run cache(k) } } }
