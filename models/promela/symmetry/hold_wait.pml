// Any two of N locks are taken one after the other, by M processes.
// setting: -DN=3 -DM=2 order 12
// setting: -DN=2 -DM=3 order 12
byte owner[N] = 255;
active [M] proctype p() {
  byte a = 255, b = 255, k;
  do
  :: atomic { a == 255 -> select (k : 0 .. N-1); if :: owner[k] == 255 -> owner[k] = _pid; a = k :: else fi; k = 0 }
  :: atomic { a != 255 && b == 255 -> select (k : 0 .. N-1); if :: owner[k] == 255 -> owner[k] = _pid; b = k :: else fi; k = 0 }
  :: atomic { b != 255 -> owner[a] = 255; owner[b] = 255; a = 255; b = 255 }
  od
}
