// Hold and wait: the left fork first.
// setting: -DN=2 order 2
// setting: -DN=3 order 3
// setting: -DN=4 order 4
byte fork[N] = 255;
active [N] proctype phil() {
  byte left = _pid, right = (_pid + 1) % N;
  do
  :: atomic { fork[left] == 255 -> fork[left] = _pid };
     atomic { fork[right] == 255 -> fork[right] = _pid };
     fork[right] = 255; fork[left] = 255
  od
}
