/* A server answers one request after the other. Every request should be answered some time, if
   processes that can always go on do go on; change the server until that is so.
   orbit: expect holds answered --fair weak */
chan ask = [2] of { byte };
bool waits[2];

active [2] proctype client() {
  waits[_pid] = true;
  ask!_pid;
  !waits[_pid]
}

active proctype server() {
  byte who;
end:
  do
  :: ask?who -> waits[who] = false
  od
}

ltl answered { [] (waits[1] -> <> !waits[1]) }
