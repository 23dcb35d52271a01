//! What is printed about SymmSpin and by Derepas and Gastin, and which of our models that is.
//!
//! SymmSpin: A. F. Donaldson's thesis (2007) tells in sections 3.5 and 4.2 to 4.3 how many states
//! the texts of simple mutual exclusion and of Peterson's algorithm have. SPIN adds one to the
//! numbers of the first, the start in which there is only `init`. *Simpler* are texts without
//! scalarsets (figure 2.6, appendix A.1.2); *plain* is without SPIN's merging of statements and its
//! resetting of variables. There are no times.
//!
//! Replicated processes: F. Derepas and P. Gastin (2001), figure 6, numbers of states. Figure 8, of
//! a model with three layers, has no numbers that we know.

/// Configuration; our model and its macros; states; orbits; words; a remark.
pub const SYMMSPIN: &str = "
mutex 2 simpler          | mutex N=2                             | 8+1   | -    |       |
mutex 5 simpler          | mutex N=5                             | 112+1 | 11+1 |       |
mutex 5                  | extended/mutex_scalarset N=5          | -     | -    |       |
peterson 3 plain         | extended/peterson_scalarset N=3 RESET | 11318 | -    | plain |
peterson 3               | extended/peterson_scalarset N=3 RESET | 6143  | -    |       |
peterson 3 at rest       | extended/peterson_scalarset N=3       | - | - | | as the simpler text
peterson 3 simpler plain | peterson_n N=3                        | 11318 | -    | plain |
peterson 3 simpler       | peterson_n N=3                        | 2636  | 494  |       |
peterson 4 plain         | extended/peterson_scalarset N=4 RESET | -     | -    | plain |
peterson 4               | extended/peterson_scalarset N=4 RESET | -     | -    |       |
peterson 5               | extended/peterson_scalarset N=5 RESET | -     | -    | long  |
peterson 5 at rest       | extended/peterson_scalarset N=5       | -     | -    |       |
peterson 6 at rest       | extended/peterson_scalarset N=6       | -     | -    | long  |
";

/// Configuration; our model and its macros; states without reduction, with the reference declared
/// first, with the reference declared last; words; a remark.
pub const REPLICATED: &str = "
matching 2      | extended/matching N=2      | 63     | 27   | 40   |      |
matching 3      | extended/matching N=3      | 918    | 108  | 227  |      |
matching 3 last | extended/matching N=3 LAST | 918 | - | - | | the reference declared last
matching 4      | extended/matching N=4      | 16929  | 405  | 928  |      |
matching 5      | extended/matching N=5      | 375678 | 1458 | 3518 |      |
connect 1       | extended/connect N=1       | -      | -    | -    |      | the appendix, mended
connect 2       | extended/connect N=2       | -      | -    | -    |      | the appendix, mended
connect 2 last  | extended/connect N=2 LAST  | - | - | - | | the reference declared last
tiers 2-2-2     | extended/tiers C=2 S=2 D=2 | -      | -    | -    |      | after figure 8
tiers 3-3-3     | extended/tiers C=3 S=3 D=3 | -      | -    | -    |      | after figure 8
tiers 4-4-4     | extended/tiers C=4 S=4 D=4 | -      | -    | -    |      | after figure 8
";
