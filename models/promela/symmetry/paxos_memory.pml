// Two proposers with their own ballots; acceptors are interchangeable.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
byte promised[N]; byte ballot[N]; byte value[N]; byte chosen;
proctype acceptor(byte a; byte b) {
  do
  :: atomic { promised[a] < 1 -> promised[a] = 1 }
  :: atomic { promised[a] < 2 -> promised[a] = 2 }
  od
}
proctype proposer(byte b) {
  byte i, n, best, v;
  do
  :: atomic {
       n = 0; best = 0; v = b;
       for (i : 0 .. N-1) { if :: promised[i] == b -> n++ :: else fi }
       if
       :: 2 * n > N ->
          for (i : 0 .. N-1) { if :: ballot[i] > best -> best = ballot[i] :: else fi }
          if :: best > 0 -> v = 3 - best :: else fi;
          for (i : 0 .. N-1) { if :: promised[i] == b -> ballot[i] = b; value[i] = v :: else fi }
       :: else
       fi;
       n = 0; best = 0; v = 0; i = 0 }
  :: atomic {
       n = 0;
       for (i : 0 .. N-1) { if :: ballot[i] == b -> n = n + 1 :: else fi }
       if :: 2 * n > N -> chosen = b :: else fi;
       n = 0; i = 0 }
  od
}
init { atomic { byte k; run proposer(1); run proposer(2); for (k : 0 .. N-1) { run acceptor(k, 0) } } }
