typedef T { byte a; unsigned b : 3 }; chan c = [1] of { byte, T };
init { skip }

// error 1:63: this record has an `unsigned` field, so it cannot be sent
