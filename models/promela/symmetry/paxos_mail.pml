// Proposers ask all acceptors by mail, acceptors answer with their number.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
mtype = { prepare, accept };
chan inbox[N] = [2] of { mtype, byte };
chan answers = [N] of { mtype, byte, byte };
byte top[N]; byte taken[N]; bool done;
active proctype proposer() {
  byte i, n, who, b;
  atomic { i = 0; do :: i >= N -> break :: i < N -> inbox[i]!prepare,1; i++ od; i = 0 }
  do
  :: 2 * n > N -> break
  :: atomic { answers?prepare,who,b -> n++; who = 0; b = 0 }
  od;
  n = 0;
  atomic { i = 0; do :: i >= N -> break :: i < N -> inbox[i]!accept,1; i++ od; i = 0 }
  do
  :: atomic { answers?accept,who,b -> n++; who = 0; b = 0 }
  :: atomic { answers?prepare,who,b -> who = 0; b = 0 }
  :: n * 2 > N -> done = true; break
  od;
  end: do :: answers?_,_,_ od
}
proctype acceptor(byte id) {
  byte b;
  end: do
  :: atomic { inbox[id]?prepare,b -> if :: b > top[id] -> top[id] = b; answers!prepare,id,b :: else fi; b = 0 }
  :: atomic { inbox[id]?accept,b -> if :: b >= top[id] -> top[id] = b; taken[id] = b; answers!accept,id,b :: else fi; b = 0 }
  od
}
init { byte k; atomic { for (k : 0 .. N-1) { run acceptor(k) } } }
