// Whoever wants in takes one more than the greatest ticket, beginning with the first.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
byte tick[N];
active [N] proctype p() {
  byte j, top;
  do
  :: atomic { tick[_pid] == 0 ->
       top = tick[0];
       for (j : 1 .. N-1) { if :: tick[j] > top -> top = tick[j] :: else fi }
       if :: top < 3 -> tick[_pid] = top + 1 :: else fi; top = 0; j = 0 }
  :: atomic { tick[_pid] != 0 -> tick[_pid] = 0 }
  od
}
