/* Nothing runs. */
byte x;
proctype P() { x = 1 }

// error no process runs: there is no `init` and no `active proctype`
