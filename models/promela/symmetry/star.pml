// Rendezvous with a hub; each leaf has its own channel.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
chan c[N] = [0] of { bool }; byte n;
proctype leaf(byte i) { bool b; do :: c[i]?b -> n++; b = 0; n-- od }
init {
  byte k;
  atomic { for (k : 0 .. N-1) { run leaf(k) } k = 0 }
  do :: atomic { select (k : 0 .. N-1); c[k]!true; k = 0 } od
}
