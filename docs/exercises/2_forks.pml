/* Three philosophers share three forks, and all of them may end up waiting. Let no run get stuck:
   whoever eats needs both forks, and nobody holds more than two.
   orbit: expect holds deadlock */
bool fork[3];

active [3] proctype philosopher() {
  byte left = _pid, right = (_pid + 1) % 3;
  do
  :: atomic { !fork[left] -> fork[left] = true };
     atomic { !fork[right] -> fork[right] = true };
     fork[left] = false;
     fork[right] = false
  od
}
