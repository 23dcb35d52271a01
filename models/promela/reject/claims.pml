/* What claims and traces cannot do. */
chan c = [1] of { byte };
byte x;
never { c!1; x = 1 }
never again { np_ }
never again { skip }
trace { c!1; skip }
active proctype P() { np_; c!1 }
ltl f { x }
ltl f { [] x == 1 }
notrace { c!1 }

// error 4:9: a never claim can neither send nor receive
// error 6:7: `again` is there twice
// error 7:14: a trace lists sends `c!…` and receives `c?…` only
// error 8:23: `np_` can be used in never claims only
// error 10:1: the formula `f` is there twice
// error 10:9: a temporal operator has no number as its value
// error 11:1: `notrace` is there twice
// warning 4:14: a never claim should not change the state
