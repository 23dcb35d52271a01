// Two-phase commit; each participant is handed its own channel.
// setting: -DN=2 order 2
// setting: -DN=3 order 6
mtype = { prepare, yes, no, commit, abort };
chan down[N] = [1] of { mtype };
chan up = [N] of { mtype };
proctype participant(chan in) {
  in?prepare;
  if
  :: up!yes; if :: in?commit :: in?abort fi
  :: up!no; in?abort
  fi;
  end: false
}
init {
  byte i, n; mtype m; bool bad;
  atomic { i = 0; do :: i < N -> run participant(down[i]); i++ :: else -> i = 0; break od }
  atomic { i = 0; do :: i < N -> down[i]!prepare; i++ :: else -> i = 0; break od }
  do
  :: n < N -> atomic { up?m; n++; bad = bad || m == no; m = 0 }
  :: n == N -> break
  od;
  if
  :: bad -> atomic { for (i : 0 .. N-1) { down[i]!abort } i = 0 }
  :: !bad -> atomic { for (i : 0 .. N-1) { down[i]!commit } i = 0 }
  fi;
  end: false
}
