// A count goes up a heap of numbers once; nodes end when they have added theirs.
// setting: -DN=3 order 2
// setting: -DN=7 order 8
byte sum[N+1]; bool done[N+1];
proctype node(byte id) {
  if
  :: 2*id > N -> skip
  :: else -> done[2*id] && done[2*id+1]; sum[id] = sum[2*id] + sum[2*id+1]
  fi;
  sum[id] = sum[id] + 1;
  done[id] = true
}
init { byte i; atomic { for (i : 1 .. N) { run node(i) } }; done[1]; assert(sum[1] == N) }
