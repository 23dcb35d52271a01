//! The groups and the numbers of orbits of the families in A. F. Donaldson's thesis (2007), which
//! prints both: the tables of detection (figures 8.7 and 8.9) and of reduction (figure 11.6).
//!
//! Worked example: five users in mutual exclusion can be exchanged in 5! = 120 ways. Of the 113
//! states one has no users yet; in the others nobody is in and 0 to 5 try, or somebody is in and 0
//! to 4 try. That is 1 + 6 + 5 = 12 orbits.

use crate::strategies::{model, search};
use check::{Ended, Order};
use model::processes::passes::Setting;
use num_bigint::BigUint;
use strategies::Strategy;

/// A row is a model, the macros that set its size, a setting, the order of its group, the order
/// that the thesis finds, its orbits, and a remark. `=` is the order to the left, `-` is not
/// counted; where the thesis finds less the remark says why. Orbits are counted with SPIN's
/// passes, for the cube also with ours, which do not give each node a bit that means nothing. They
/// are those of the thesis where it has the same model, or follow from its formulas, and otherwise
/// they are ours.
const TABLE: &str = "
mutex                | N=5                 | spin  | 5!        | =   | 12    |
mutex                | N=10                | spin  | 10!       | =   | 22    |
mutex                | N=15                | spin  | 15!       | =   | 32    |
mutex                | N=20                | spin  | 20!       | =   | 42    | orbits only by `fast`
mutex                | N=40                | spin  | 40!       | =   | 82    | 8.1e37 is misprinted
mutex_ids            | N=5                 | spin  | 5!        | 1   | -     | numbers beside _pid
peterson_n           | N=3                 | spin  | 3!        | =   | 494   |
peterson_n           | N=4                 | spin  | 4!        | =   | 3106  |
peterson_n           | N=6                 | spin  | 6!        | =   | -     |
peterson_n           | N=9                 | spin  | 9!        | =   | -     |
peterson_n           | N=12                | spin  | 12!       | =   | -     |
peterson_loop        | N=3                 | spin  | 3!        | =   | -     |
peterson_scan        | N=2                 | spin  | 2!        | =   | 148   |
peterson_scan        | N=3                 | spin  | 3!        | =   | 12706 |
peterson_scan        | N=6                 | spin  | 6!        | =   | -     |
peterson_scan        | N=9                 | spin  | 9!        | =   | -     |
peterson_scan        | N=12                | spin  | 12!       | =   | -     |
allocator            | L0=2 L1=3 L2=2      | spin  | 2! 3! 2!  | =   | 337   |
allocator            | L0=3 L1=4 L2=0      | spin  | 3! 4!     | =   | 145   |
allocator            | L0=2 L1=2 L2=3      | spin  | 2! 2! 3!  | =   | 337   |
allocator            | L0=5 L1=5 L2=0      | spin  | 5! 5!     | =   | 277   |
allocator            | L0=3 L1=3 L2=4      | spin  | 3! 3! 4!  | =   | 817   |
allocator            | L0=10 L1=0 L2=0 ALTERNATING | spin | 6! 4! | = | 268   |
allocator            | L0=12 L1=0 L2=0 ALTERNATING | spin | 6! 6! | = | 386   |
allocator            | L0=14 L1=0 L2=0 ALTERNATING | spin | 8! 6! | = | 504   | 2.9e6 is misprinted
allocator            | L0=16 L1=0 L2=0 ALTERNATING | spin | 8! 8! | = | 658   |
allocator_sharing    |                     | spin  | 2! 3 2!   | =   | -     |
three_tiered         | A=3 B=3 C=2         | spin  | 3! 3! 2 2! | =  | 171   | 107 printed
three_tiered         | A=3 B=3 C=3         | spin  | 3! 3! 3! 3! | = | -     |
three_tiered         | A=4 B=4 C=3         | spin  | 4! 4! 2 3! | =  | -     |
three_tiered         | A=4 B=4 C=4         | spin  | 4! 4! 4! 3! | = | -     |
three_tiered         | A=5 B=5 C=5 D=5     | spin  | 5! 5! 5! 5! 4! | = | -  |
three_tiered         | A=3 B=3 C=2 MIXED   | spin  | 3! 3! 2!  | =   | -     |
three_tiered         | A=3 B=3 C=0 BUFFERED | spin | 3! 3! 2   | =   | 2656  |
three_tiered         | A=4 B=4 C=0 BUFFERED | spin | 4! 4! 2   | =   | 5021  | 5012 is misprinted
hypercube            | D=2                 | best  | 4 2!      | 4   | 5     | bits are not permuted
hypercube            | D=3                 | best  | 8 3!      | 8   | 7     | bits are not permuted
hypercube            | D=3                 | spin  | 8 3!      | 8   | 411   | bits are not permuted
hypercube            | D=4                 | best  | 16 4!     | 16  | 9     | bits are not permuted
hypercube            | D=5                 | best  | 32 5!     | 32  | 11    | bits are not permuted
hypercube            | D=3 FIXED           | best  | 3!        | 1   | 33    | bits are not permuted
hypercube            | D=3 FIXED           | spin  | 3!        | 1   | 1669  | bits are not permuted
hypercube_table      |                     | spin  | 8 3!      | 8   | 411   | bits, as above
hypercube_table      | FIXED               | spin  | 3!        | 1   | 1669  | bits, as above
email                | N=3                 | spin  | 3!        | =   | 3902  |
email                | N=7                 | spin  | 7!        | =   | -     |
loadbalancer         | M=2 N=6             | spin  | 2! 6!     | =   | -     |
loadbalancer         | M=4 N=7             | spin  | 4! 7!     | =   | -     |
loadbalancer_blocked | SERVERS=3 CLIENTS=6 | spin  | 3! 2 2 2! | =   | -     |
railway              |                     | spin  | 2         | =   | -     |
study/runs_apart     |                     | best  | 2!        | 1   | 6     | started apart
study/set_up_by_hand |                     | best  | 3!        | 1   | 4     | set up in some order
study/own_channels   |                     | best  | 3!        | 1   | 17    | channels of processes
study/channels_in_records |                | best  | 3!        | 1   | 20    | channels in records
study/like_globals   |                     | best  | 2         | 1   | -     | two types, deadlock
study/ids_by_hand    |                     | best  | 2         | 1   | 19    | arithmetic on ids
telephone            | VERSION=1           | spin  | 2         | =   | -     |
telephone            | VERSION=2           | spin  | 2         | =   | -     |
telephone            | VERSION=3           | spin  | 2         | =   | -     |
swap                 |                     | spin  | 2         | =   | -     |
ring_arith           | N=5                 | spin  | 5         | 1   | -     | arithmetic on numbers
ring                 |                     | spin  | 1         | =   | -     | sizes of numbers
readers_writers      | R=3 W=2             | spin  | 3! 2!     | =   | -     |
";

/// What is expected of a model.
struct Row<'a> {
    text: &'a str,
    name: String,
    defines: Vec<&'a str>,
    setting: Setting,
    order: BigUint,
    printed: BigUint,
    n_orbits: Option<u64>,
    remark: &'a str,
}

impl<'a> Row<'a> {
    fn new(text: &'a str) -> Row<'a> {
        let cells: Vec<&str> = text.split('|').map(str::trim).collect();
        let [name, defines, setting, order, printed, n_orbits, remark] = cells[..] else {
            panic!("seven cells: {text}");
        };
        let order = product(order);
        Row {
            text,
            name: format!("{name}.pml"),
            defines: defines.split_whitespace().collect(),
            setting: match setting {
                "spin" => Setting::Spin,
                "best" => Setting::Best,
                _ => panic!("a setting: {text}"),
            },
            printed: match printed {
                "=" => order.clone(),
                printed => product(printed),
            },
            order,
            n_orbits: (n_orbits != "-").then(|| n_orbits.parse().expect("a number of orbits")),
            remark,
        }
    }

    /// What is wrong with what is found, if anything.
    fn complaint(&self) -> Option<String> {
        let machine = model(&self.name, &self.defines).machine(self.setting);
        let found = reduce::processes::find(&machine).expect("the making goes well");
        let order = found.certified.group().order();
        if order != self.order {
            return Some(format!("order {order}, not {}: {}", self.order, self.text));
        }
        let n_expected = self.n_orbits?;
        let reducer = Strategy::Canonical.reducer(&found.certified.certified());
        let mut reducer = reducer.expect("the canonical one fits every group");
        let outcome = search(&machine, &mut *reducer, Order::Breadth);
        let n = outcome.counts.n_states;
        let good = n == n_expected && outcome.n_errors == 0 && outcome.ended == Ended::Complete;
        (!good).then(|| format!("{n} orbits, not {n_expected}: {}", self.text))
    }
}

/// The value of numbers and factorials one after the other: `4! 2` is 48.
fn product(factors: &str) -> BigUint {
    let factor = |word: &str| {
        let number = |digits: &str| digits.parse::<u32>().expect("a number");
        match word.strip_suffix('!') {
            Some(digits) => (1..=number(digits)).map(BigUint::from).product(),
            None => BigUint::from(number(word)),
        }
    };
    factors.split_whitespace().map(factor).product()
}

#[test]
fn groups_and_orbits_of_published_families() {
    let rows: Vec<Row<'_>> = TABLE.trim().lines().map(Row::new).collect();
    let complaints: Vec<String> = rows.iter().filter_map(Row::complaint).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn no_row_expects_less_than_is_printed() {
    for row in TABLE.trim().lines().map(Row::new) {
        let is_multiple = &row.order % &row.printed == BigUint::ZERO;
        assert!(is_multiple, "{}", row.text);
        let has_reason = row.order == row.printed || !row.remark.is_empty();
        assert!(has_reason, "{}", row.text);
    }
}

#[test]
fn wrong_rows_are_complained_about() {
    for wrong in [
        "mutex | N=5 | spin | 4! | = | 12 |",
        "mutex | N=5 | spin | 5! | = | 11 |",
        "hypercube | D=3 FIXED | spin | 8 3! | = | 411 |",
        "hypercube | D=3 | best | 8 3! | = | 411 |",
        "telephone | VERSION=1 | spin | 2 | = | 12 |",
    ] {
        assert!(Row::new(wrong).complaint().is_some(), "{wrong}");
    }
}
