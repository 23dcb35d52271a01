/* One may be inside, of three. orbit: expect holds */
bool locked;
byte inside;

active [3] proctype user() {
  do
  :: atomic { !locked -> locked = true };
     inside++;
     assert(inside <= 1);
     inside--;
     locked = false
  od
}
