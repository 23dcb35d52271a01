// Clients send their own reply channel along.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
chan req = [1] of { chan, byte };
chan rep[N] = [1] of { bool };
proctype client(byte me) {
  bool ok;
  do :: req!rep[me],me; rep[me]?ok; ok = 0 od
}
active proctype server() {
  chan r; byte c; byte last = 255;
  do :: atomic { req?r,c -> last = c; r!true; c = 0 } od
}
init { atomic { byte k; for (k : 0 .. N-1) { run client(k) } } }
