// Workers take jobs from one queue and give results back.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
chan todo = [2] of { byte }; chan done = [2] of { byte, byte };
byte count;
proctype worker(byte w) {
  byte j;
  do :: todo?j -> j = j * 2; done!w,j; j = 0 od
}
init {
  byte k, who, r; bool busy[N];
  atomic { k = 0; do :: k < N -> run worker(k); k++ :: k >= N -> break od; k = 0 }
  do
  :: todo!1
  :: atomic { done?who,r -> count = (count + r) % 4; busy[who] = !busy[who]; who = 0; r = 0 }
  od
}
