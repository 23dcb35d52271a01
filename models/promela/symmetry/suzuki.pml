// A token with a queue; requests are kept for each node.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
bool req[N]; byte holder = N; chan q = [N] of { byte }; bool queued[N];
proctype p(byte me) {
  byte i, h;
  do
  :: !req[me] && holder != me -> req[me] = true
  :: atomic { holder == N -> holder = me; req[me] = false }
  :: atomic { holder == me ->
       select (i : 0 .. N-1);
       if :: req[i] && !queued[i] -> queued[i] = true; q!i :: else fi; i = 0 }
  :: atomic { holder == me && q?[h] -> q?h; holder = h; queued[h] = false; req[h] = false; h = 0 }
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run p(k) } } }
