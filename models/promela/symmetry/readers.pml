// Readers and writers with a count.
// setting: -DR=2 -DW=2 order 4
// setting: -DR=3 -DW=2 order 12
byte n; bool w;
active [R] proctype reader() { do :: atomic { !w -> n++ }; atomic { n-- } od }
active [W] proctype writer() { do :: atomic { !w && n == 0 -> w = true }; w = false od }
