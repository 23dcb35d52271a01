// The greatest number wins: ids are compared, no symmetry.
// setting: -DN=2 order 1
// setting: -DN=3 order 1
chan q[N] = [2] of { byte }; byte leader = 255;
proctype node(byte id) {
  byte m;
  q[(id + 1) % N]!id;
  end: do
  :: q[id]?m -> if :: m > id -> q[(id + 1) % N]!m :: m == id -> leader = id :: else fi
  od
}
init { atomic { byte k; for (k : 0 .. N-1) { run node(k) } } }
