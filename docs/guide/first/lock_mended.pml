/* orbit: expect holds */
bool locked;
byte inside;

active [2] proctype user() {
  do
  :: atomic { !locked -> locked = true };
     inside++;
     assert(inside == 1);
     inside--;
     locked = false
  od
}
