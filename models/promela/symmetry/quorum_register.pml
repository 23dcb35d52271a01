// Timestamps: a writer takes one more than the greatest, a reader counts who has it.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
byte ts[N]; byte seen[N];
active [N] proctype replica() {
  byte i, m, n;
  do
  :: atomic { ts[_pid] < 2 ->
       m = ts[0]; i = 1;
       do :: i < N -> if :: ts[i] > m -> m = ts[i] :: else fi; i++ :: else -> break od;
       if :: m < 2 -> ts[_pid] = m + 1 :: else -> ts[_pid] = m fi;
       m = 0; i = 0 }
  :: atomic { n = 0;
       for (i : 0 .. N-1) { if :: ts[i] >= ts[_pid] -> n++ :: else fi }
       if :: 2 * n > N -> seen[_pid] = ts[_pid] :: else fi; n = 0; i = 0 }
  od
}
