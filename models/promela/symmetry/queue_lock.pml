// A lock with a queue of those who wait: each knows who comes next.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
#define NIL 255
byte tail = NIL; byte next[N] = NIL; bool locked[N]; byte inside;
active [N] proctype p() {
  byte pred;
  do
  :: next[_pid] = NIL;
     atomic { pred = tail; tail = _pid };
     if
     :: pred != NIL -> locked[_pid] = true; next[pred] = _pid; !locked[_pid]
     :: else
     fi;
     inside++; assert(inside == 1); inside--;
     if
     :: next[_pid] == NIL ->
        if
        :: atomic { tail == _pid -> tail = NIL }; goto done
        :: next[_pid] != NIL
        fi
     :: else
     fi;
     locked[next[_pid]] = false;
  done: skip
  od
}
