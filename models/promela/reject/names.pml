/* Names that mean nothing, or too much. */
byte a;
byte a;
mtype = { m, n, m };
typedef T { byte f; byte f };
proctype P(byte x) { byte x; y = 1; y = 2 }
proctype P(byte z) { _pid = 1; m = 2; P = 4 }
init { run Q(); run P(1, 2); a.f = 1; _ = 1; a = _ }

// error 3:6: `a` is declared already
// error 4:11: `m` is declared already
// error 5:26: the field `f` is there twice
// error 6:27: `x` is declared already
// error 6:30: `y` is not declared
// error 7:10: `P` is declared already
// error 7:22: `_pid` cannot be assigned to
// error 7:32: `m` cannot be assigned to
// error 7:39: `P` is a process, not a variable
// error 8:12: there is no process `Q`
// error 8:17: `P` takes 1 arguments, here are 2
// error 8:32: `a` is no record, so it has no fields
// error 8:50: `_` has no value; it can be written to only
