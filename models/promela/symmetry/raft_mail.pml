// An election by messages: who asks first in a term may be voted for.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
#define NONE 255
#define ASK 1
#define VOTE 2
chan box[N] = [4] of { byte, byte, byte };
byte term[N]; byte voted[N] = NONE; byte votes[N]; bool leads[N];
proctype server(byte id) {
  byte i, kind, from, t;
  do
  :: atomic { term[id] == 0 && !leads[id] ->
       term[id] = 1; voted[id] = id; votes[id] = 1;
       for (i : 0 .. N-1) { if :: i != id -> box[i]!ASK,id,term[id] :: else -> skip fi } }
  :: atomic { box[id]?kind,from,t ->
       if
       :: kind == ASK && t > term[id] -> term[id] = t; voted[id] = from; box[from]!VOTE,id,t
       :: kind == ASK && t == term[id] && voted[id] == NONE -> voted[id] = from; box[from]!VOTE,id,t
       :: kind == VOTE && t == term[id] -> votes[id]++
       :: else -> skip
       fi;
       kind = 0; from = 0; t = 0 }
  :: atomic { votes[id] * 2 > N && !leads[id] -> leads[id] = 1 }
  od
}
init { byte k; atomic { k = 0; do :: k < N -> run server(k); k++ :: else -> break od } }
