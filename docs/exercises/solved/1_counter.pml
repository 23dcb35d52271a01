/* Two processes count to two together. Mend `count`, and nothing else, so that the assertion holds.
   orbit: expect holds assertions */
byte n, done;

active [2] proctype count() {
  byte seen;
  atomic { seen = n;
  n = seen + 1 };
  done++
}

active proctype look() {
  done == 2;
  assert(n == 2)
}
