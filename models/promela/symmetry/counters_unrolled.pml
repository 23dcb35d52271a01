// The sum is written out.
// setting: -DN=3 order 6
byte c[N]; bool high;
proctype p(byte me) {
  do
  :: c[me] < 2 -> c[me] = c[me] + 1
  :: c[me] = 0
  :: high = (c[0] + c[1] + c[2] > 3)
  od
}
init { atomic { run p(0); run p(1); run p(2) } }
