// Votes as a set of bits.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
byte got[N]; byte gave[N] = 255; bool lead[N];
proctype S(byte me) {
  byte c;
  do
  :: atomic { gave[me] == 255 -> gave[me] = me; got[me] = got[me] | (1 << me) }
  :: atomic { gave[me] == 255 -> select (c : 0 .. N-1); gave[me] = c; got[c] = got[c] | (1 << me); c = 0 }
  :: atomic { got[me] == (1 << N) - 1 -> lead[me] = true }
  :: atomic { lead[me] -> lead[me] = false; got[me] = 0 }
  :: atomic { gave[me] != 255 && !lead[gave[me]] && (got[gave[me]] & (1 << me)) == 0 -> gave[me] = 255 }
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run S(k) } } }
