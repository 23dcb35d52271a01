/* orbit: expect violated assertions */
bool locked;
byte inside;

active [2] proctype user() {
  do
  :: !locked;
     locked = true;
     inside++;
     assert(inside == 1);
     inside--;
     locked = false
  od
}
