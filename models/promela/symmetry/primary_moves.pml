// Any replica may become the primary; the others follow it.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
// setting: -DN=4 order 24
#define NOBODY 255
byte primary = NOBODY; byte view[N] = NOBODY; byte log[N];
proctype replica(byte me) {
  do
  :: atomic { primary == NOBODY -> primary = me; view[me] = me }
  :: atomic { primary != NOBODY && view[me] != primary -> view[me] = primary; log[me] = log[primary] }
  :: atomic { primary == me && log[me] < 2 -> log[me]++ }
  :: atomic { primary == me -> primary = NOBODY; view[me] = NOBODY }
  :: atomic { view[me] != NOBODY && view[me] != me && log[me] < log[view[me]] -> log[me] = log[view[me]] }
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run replica(k) } } }
