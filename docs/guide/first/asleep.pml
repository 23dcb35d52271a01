/* Holds, since nobody ever opens the door. orbit: expect holds */
bool open;
byte inside;

active [2] proctype user() {
end:
  do
  :: atomic { open -> open = false };
     inside++;
     assert(inside == 1);
     inside--;
     open = true
  od
}
