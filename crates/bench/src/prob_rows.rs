//! What is printed in E. N. Turner's thesis *Improving the Process of Model Checking through State
//! Space Reductions* (2007), and which of our machines that is.
//!
//! States are counted there with a root above all others. Times are seconds of ProB 1.2.0 on a
//! 2.8 GHz Pentium 4 with 1 GB; `-` was not printed, not finished, or is beyond what was tried. A
//! number behind `~` is the right one where the print is wrong or tells none: it follows from the
//! machine as published, and was worked out by enumerating all permutations of all its states.
//!
//! The words of a row: letters are those of [`NOTES`]; `ends` is for machines that rest in the end,
//! so that rest is no mistake; `long` for what takes more than some seconds; `reduced` for what is
//! searched with reduction only; `none` for a machine in which nothing is wrong at that size.

/// Tables 5.1 and 5.3 to 5.5: machine and size of its deferred sets; states and orbits; transitions
/// between states and between orbits; words.
pub const SIZES: &str = "
BinaryRelations 0     | 1~2           | 1~2       | -~1           | -~1      | g ends
BinaryRelations 1     | 3             | 2~3       | -~2           | -~2      | g ends
BinaryRelations 2     | 17            | 7~8       | -~33          | -~15     | g ends
BinaryRelations 3     | 513           | 36~37     | -~2305        | -~163    | g ends
BinaryRelations 4     | 65537         | 317~318   | -~524289      | -~2537   | g ends long
BinaryRelations 5     | 33554433      | 5624~5625 | -             | -        | g ends reduced long
scheduler0 1          | 5             | 5         | 6             | 6        |
scheduler0 2          | 16            | 10        | 37            | 23       |
scheduler0 3          | 55            | 17        | 190           | 59       |
scheduler0 4          | 190           | 26        | 865           | 121      |
scheduler0 5          | 649           | 37        | 3646          | 216      |
scheduler0 6          | 2188          | 50        | 14581         | 351      | a
scheduler0 7          | -~7291        | -~65      | -             | -~533    |
scheduler0 8          | -~24058       | -~82      | -             | -~769    |
scheduler0 12         | -             | -~170     | -             | -        | reduced
scheduler 1           | 4             | 4         | 5             | 5        |
scheduler 2           | 11            | 7         | 25            | 16       |
scheduler 3           | 36            | 11        | 121           | 37       |
scheduler 4           | 125           | 16        | 561           | 71       |
scheduler 5           | 438           | 22        | 2418~2481     | 121      | b
scheduler 6           | 1523          | 29        | 10489         | 190      | b
scheduler 7           | -             | -~37      | -             | -~281    |
scheduler 8           | -             | -~46      | -             | -~397    |
scheduler 12          | -             | -~92      | -             | -        | reduced
RussianPostalPuzzle 1 | 15            | 15        | 24            | 24       |
RussianPostalPuzzle 2 | 81            | 48        | 177           | 105      |
RussianPostalPuzzle 3 | 441           | 119       | 1277~1227     | 331      | c
RussianPostalPuzzle 4 | 2325          | 248       | 7869          | 838      |
RussianPostalPuzzle 5 | 11985         | 459       | 47795         | 1826     |
RussianPostalPuzzle 6 | 60981         | 780       | 279969        | 3571     | long
RussianPostalPuzzle 7 | -             | -         | -             | -        | long
RussianPostalPuzzle 8 | -             | -         | -             | -        | reduced
phonebook 1           | 3             | 3         | 4             | 4        |
phonebook 2           | 10            | 5         | 37            | 17       |
phonebook 3           | 65            | 8         | 433           | 50       |
phonebook 4           | 626           | 13        | 6001          | 125      |
phonebook 5           | 7777          | 20        | 97201         | 269      |
phonebook 6           | 117650        | 31        | 1815157       | 541      | long
phonebook 7           | -~2097153     | -~46      | -             | -~1006   | reduced
phonebook 8           | -             | -~68      | -             | -        | reduced
phonebook 10          | -             | -~140     | -             | -        | reduced
FileSystem 1          | 3             | 3         | 4             | 4        |
FileSystem 2          | 649           | 82        | 2864          | 365      |
FileSystem 3          | 362260        | 1927      | 2109780       | 11554    | long
FileSystem 4          | -             | -         | -             | -        | reduced long
DiningPhilosophers 2  | 21            | 7~8       | 52            | 18~19    | e
DiningPhilosophers 3  | 337           | 11~13     | 1320          | 52~57    | e
DiningPhilosophers 4  | 11809         | 20~26     | 62496         | 302~273  | e
DiningPhilosophers 5  | -~702721      | -         | -~4671360     | -        | long
DiningPhilosophers 6  | -             | -         | -             | -        | reduced long
Petersons 2           | 49            | 27        | 96            | 52       | d
Petersons 3           | 884           | 174       | 2648          | 518      |
Petersons 4           | 22283         | 1134      | 89126         | 4530     | long
Petersons 5           | -             | -         | -             | -        | reduced long
HotelKeys 3           | 4~7           | 2         | 3~6           | 3~6      | f ends
HotelKeys 4           | 718~1417      | 6         | 1636~3288     | 29~61    | f ends
HotelKeys 5           | 101311~108241 | 20        | 444474~460320 | 271~316  | f ends long
HotelKeys 6           | >940575       | 62        | >1834527      | 409~1269 | f ends long
HotelKeys 7           | -             | -         | -             | -        | reduced long f ends
";

/// Tables 5.1, 5.4 and 5.5: machine and size; seconds without reduction, with canonical labels,
/// with permutation flooding, with labels and markers; how many times faster each of the three was.
pub const TIMES: &str = "
BinaryRelations 0     | 0.05     | 0.05    | -       | -       | -     | -    | -
BinaryRelations 1     | 0.05     | 0.05    | -       | -       | -     | -    | -
BinaryRelations 2     | 0.80     | 0.63    | -       | -       | -     | -    | -
BinaryRelations 3     | 8.90     | 1.76    | -       | -       | -     | -    | -
BinaryRelations 4     | 5070.12  | 133.44  | -       | -       | -     | -    | -
scheduler0 1          | 0.01     | 0.01    | 0.01    | 0.01    | 1.0   | 1.0  | 1.0
scheduler0 2          | 0.05     | 0.05    | 0.04    | 0.05    | 1.0   | 1.3  | 1.0
scheduler0 3          | 0.26     | 0.15    | 0.09    | 0.14    | 1.7   | 2.9  | 1.9
scheduler0 4          | 1.24     | 0.52    | 0.26    | 0.47    | 2.4   | 4.8  | 2.6
scheduler0 5          | 7.78     | 2.20    | 0.92    | 1.77    | 3.5   | 8.5  | 4.4
scheduler0 6          | 35.35    | 12.03   | 5.65    | 9.38    | 2.9   | 6.3  | 3.8
scheduler 1           | 0.01     | 0.01    | 0.01    | 0.01    | 1.0   | 1.0  | 1.0
scheduler 2           | 0.03     | 0.02    | 0.02    | 0.01    | 1.5   | 1.5  | 3.0
scheduler 3           | 0.14     | 0.08    | 0.01    | 0.01    | 1.8   | 14.0 | 14.0
scheduler 4           | 0.64     | 0.30    | 0.01    | 0.33    | 2.1   | 64.0 | 1.9
scheduler 5           | 3.02     | 2.78    | 0.10    | 2.44    | 1.1   | 30.2 | 1.2
scheduler 6           | 22.93    | 27.03   | 0.98    | 24.64   | 0.8   | 23.4 | 0.9
RussianPostalPuzzle 1 | 0.05     | 0.08    | 0.03    | 0.01    | 0.6   | 1.7  | 5.0
RussianPostalPuzzle 2 | 0.31     | 0.42    | 0.18    | 0.33    | 0.7   | 1.7  | 0.9
RussianPostalPuzzle 3 | 2.13     | 2.05    | 0.71    | 1.56    | 1.0   | 3.0  | 1.4
RussianPostalPuzzle 4 | 17.34    | 9.80    | 3.04    | 7.40    | 1.8   | 5.7  | 2.3
RussianPostalPuzzle 5 | 158.61   | 48.83   | 21.91   | 36.86   | 3.2   | 7.2  | 4.3
RussianPostalPuzzle 6 | 738.14   | 266.37  | 153.86  | 200.46  | 2.8   | 4.8  | 3.7
phonebook 1           | 0.01     | 0.01    | 0.01    | 0.01    | 1.0   | 1.0  | 1.0
phonebook 2           | 0.06     | 0.03    | 0.02    | 0.03    | 2.0   | 3.0  | 2.0
phonebook 3           | 0.69     | 0.17    | 0.08    | 0.18    | 4.1   | 8.6  | 3.8
phonebook 4           | 12.03    | 1.09    | 0.81    | 1.01    | 11.0  | 14.9 | 11.9
phonebook 5           | 280.38   | 7.51    | 22.21   | 6.97    | 37.3  | 12.6 | 40.2
phonebook 6           | 13944.97 | 60.36   | 909.78  | 58.50   | 231.0 | 15.3 | 238.4
FileSystem 1          | 0.01     | 0.01    | 0.01    | 0.01    | 1.0   | 1.0  | 1.0
FileSystem 2          | 12.85    | 2.57    | 2.01    | 2.98    | 5.0   | 6.39 | 4.3
FileSystem 3          | 15588.06 | 360.09  | 374.58  | 380.59  | 43.3  | 41.6 | 41.0
DiningPhilosophers 2  | 0.09     | 0.05    | 0.03    | 0.04    | 1.8   | 3.0  | 2.3
DiningPhilosophers 3  | 2.88     | 0.28    | 0.17    | 0.12    | 10.3  | 16.9 | 24.0
DiningPhilosophers 4  | 167.41   | 3.20    | 10.93   | 0.35    | 52.3  | 15.3 | 478.3
Petersons 2           | 0.57     | 0.47    | 0.33    | 0.05    | 1.2   | 1.72 | 1.2
Petersons 3           | 65.96    | 16.36   | 14.52   | 17.08   | 4.0   | 4.5  | 3.9
Petersons 4           | 22125.87 | 1053.92 | 1126.10 | 1166.87 | 21.0  | 19.6 | 19.0
HotelKeys 3           | 0.03     | 0.01    | 0.01    | 0.01    | 3.0   | 3.0  | 3.0
HotelKeys 4           | 10.48    | 1.23    | 1.29    | 1.06    | 8.5   | 8.1  | 9.9
HotelKeys 5           | 3692.92  | 28.83   | 295.55  | 26.19   | 128.1 | 12.5 | 141.0
HotelKeys 6           | -        | 617.24  | -       | 521.64  | 87.5  | -    | 103.5
";

/// Tables 5.6 to 5.10: machine and size; seconds, states and transitions until the error was found,
/// in one run each: without reduction, with canonical labels, with permutation flooding, with
/// markers, with labels and markers; words.
pub const ERRORS: &str = "
scheduler0* 1|0.01   5   6    |0.01   5   6  |0.01   5   6  |0.01   5   6  |0.01   5   6   |
scheduler0* 2|0.01   16  34   |0.01   10  21 |0.02   10  18 |0.01   10  18 |0.01   10  21  |
scheduler0* 3|0.20   55  179  |0.01   17  40 |0.01   17  49 |0.06   17  44 |0.01   17  45  |
scheduler0* 4|0.10   98  136  |0.52   20  106|0.02   22  113|0.17   24  146|0.97   22  107 |
scheduler0* 5|4.77   649 3429 |2.07   32  190|0.82   31  186|0.32   35  202|2.48   34  202 |
scheduler0* 6|7.12   1933 4719|6.95   42  282|5.04   46  345|0.58   48  259|6.42   40  327 |
phonebook* 1 |0.01   3   4    |0.01   3   4  |0.01   3   4  |0.01   3   4  |0.01   3   4  |none
phonebook* 2 |0.01   10  19   |0.03   4   15 |0.03   4   12 |0.01   4   13 |0.01   4   12  |
phonebook* 3 |0.01   35  68   |0.09   7   41 |0.11   6   42 |0.01   6   42 |0.16   7   44  |
phonebook* 4 |0.01   46  57   |0.90   10  108|1.67   10  102|0.01   10  115|1.03   11  102 |
phonebook* 5 |0.08   185 211  |0.20   10  88 |2.82   12  175|0.01   12  183|0.35   12  175 |
phonebook* 6 |0.01   131 156  |1.92   19  178|7.58   10  152|0.01   19  322|1.89   15  155 |
FileSystem* 2|2.19   218 566  |1.01   60  163|1.08   37  89 |0.24   44  86 |0.60   41  91  |
FileSystem* 3|4.46   439 818  |7.06   158 387|4.25   33  102|0.36   110 98 |3.68   79  212|h
Petersons* 2 |0.21   27  32   |0.17   19  22 |0.31   27  36 |0.28   27  52 |0.41   21  46  |
Petersons* 3 |13.53  443 758  |9.01   160 308|7.75   172 508|6.84   174 518|14.86  163 459 |
Petersons* 4 |179.24 586 598  |281.62 274 746|187.92 201 455|142.62 263 625|246.67 305 813 |
";

/// What is odd about a row, by letter.
pub const NOTES: [(&str, &str); 8] = [
    (
        "a",
        "two of the three tables have 315 transitions between orbits",
    ),
    (
        "b",
        "2481 has two digits exchanged, and one of two tables half the speed-ups of flooding",
    ),
    ("c", "a slip of the pen; another table has 1227"),
    ("d", "one time contradicts its own speed-up; 0.47 is meant"),
    (
        "e",
        "the printed orbits are those of an approximation; at four the machine has one table",
    ),
    (
        "f",
        "the size is that of KEY, the other sets have 3; some initialisations were left out",
    ),
    (
        "g",
        "orbits without the root; with pruning by automorphisms 0.05, 0.61, 2.16 and 172.27 s",
    ),
    (
        "h",
        "fewer transitions than states: something was miscounted",
    ),
];

macro_rules! machines {
    ($($printed:literal = $file:literal),*) => {
        [$(($printed, $file, include_str!(concat!("../../../models/b/", $file)))),*]
    };
}

/// The printed name of a machine, its file here, and its text. The last is only refined by another.
pub const MACHINES: [(&str, &str, &str); 14] = machines!(
    "BinaryRelations" = "binary_relations.mch",
    "scheduler0" = "scheduler0.mch",
    "scheduler" = "scheduler.mch",
    "RussianPostalPuzzle" = "russian_postal_puzzle.mch",
    "phonebook" = "phonebook.mch",
    "FileSystem" = "file_system.mch",
    "DiningPhilosophers" = "dining_philosophers.mch",
    "Petersons" = "petersons.mch",
    "HotelKeys" = "hotel_keys.ref",
    "scheduler0*" = "scheduler0_err.mch",
    "phonebook*" = "phonebook_err_delete.mch",
    "FileSystem*" = "file_system_err.mch",
    "Petersons*" = "petersons_err.mch",
    "Hotel" = "hotel.mch"
);

/// A row of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct ProbRow {
    /// The machine as it is called in print, and the size.
    pub case: &'static str,
    /// The file of our machine.
    pub file: &'static str,
    /// What sets the sizes of its sets, as flags.
    pub flags: Vec<String>,
    /// What is printed, and what would be right, column by column.
    pub cells: Vec<PrintedNumber>,
    /// The words behind it.
    words: Vec<&'static str>,
}

/// A printed number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PrintedNumber {
    /// As it is printed; `None` if it is not.
    pub printed: Option<&'static str>,
    /// The right one, where it is another.
    pub right: Option<&'static str>,
}

impl PrintedNumber {
    fn parse(text: &'static str) -> PrintedNumber {
        let (printed, right) = match text.split_once('~') {
            Some((printed, right)) => (printed, Some(right)),
            None => (text, None),
        };
        PrintedNumber {
            printed: (printed != "-").then_some(printed),
            right,
        }
    }

    /// The printed number.
    pub fn number(&self) -> Option<f64> {
        self.printed?.parse().ok()
    }

    /// Whether a number is the right one, as far as that is known.
    pub fn agrees(&self, ours: u64) -> Option<bool> {
        let right = self.right.or(self.printed)?;
        match right.strip_prefix('>') {
            Some(least) => Some(least.parse().is_ok_and(|least: u64| ours > least)),
            None => Some(right.parse() == Ok(ours)),
        }
    }

    /// What is printed, and behind it in parentheses what is right.
    pub fn words(&self) -> String {
        match (self.printed, self.right) {
            (Some(printed), Some(right)) => format!("{printed} ({right})"),
            (Some(printed), None) => printed.to_owned(),
            (None, _) => "-".to_owned(),
        }
    }
}

impl ProbRow {
    /// The rows of a table with so many columns of numbers.
    pub fn all(table: &'static str, n_cells: usize) -> Vec<ProbRow> {
        let lines = table.trim().lines();
        lines
            .filter_map(|line| ProbRow::parse(line, n_cells))
            .collect()
    }

    fn parse(line: &'static str, n_cells: usize) -> Option<ProbRow> {
        let mut parts = line.split('|').map(str::trim);
        let case = parts.next()?;
        let (name, size) = case.split_once(' ')?;
        let (_, file, _) = MACHINES.iter().find(|(printed, ..)| *printed == name)?;
        let flags = match name {
            "HotelKeys" => vec![
                "--default-set-size=3".to_owned(),
                format!("--set-size=KEY={size}"),
            ],
            _ => vec![format!("--default-set-size={size}")],
        };
        let words: Vec<&str> = parts.flat_map(str::split_whitespace).collect();
        let (cells, words) = words.split_at_checked(n_cells)?;
        Some(ProbRow {
            case,
            file,
            flags,
            cells: cells
                .iter()
                .map(|cell| PrintedNumber::parse(cell))
                .collect(),
            words: words.to_vec(),
        })
    }

    /// Whether the row has this word.
    pub fn is(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// The letters of its notes.
    pub fn notes(&self) -> impl Iterator<Item = &'static str> {
        NOTES
            .iter()
            .map(|(letter, _)| *letter)
            .filter(|letter| self.is(letter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_lost() {
        for (table, n_cells) in [(SIZES, 4), (TIMES, 7), (ERRORS, 15)] {
            let rows = ProbRow::all(table, n_cells);
            assert_eq!(rows.len(), table.trim().lines().count());
            for row in rows {
                assert_eq!(row.cells.len(), n_cells, "{row:?}");
                for cell in &row.cells {
                    let plain = |text: &str| text.trim_start_matches('>').parse::<f64>().is_ok();
                    let texts = [cell.printed, cell.right];
                    assert!(texts.iter().flatten().all(|text| plain(text)), "{row:?}");
                }
                let known = ["ends", "long", "reduced", "none"];
                let letters: Vec<&str> = NOTES.iter().map(|(letter, _)| *letter).collect();
                let is_known = |word: &&str| known.contains(word) || letters.contains(word);
                assert!(row.words.iter().all(is_known), "{row:?}");
            }
        }
        assert_eq!(ProbRow::parse("Nothing 3 | 1 | 2", 2), None);
    }

    #[test]
    fn every_row_of_times_has_sizes() {
        let sizes = ProbRow::all(SIZES, 4);
        for row in ProbRow::all(TIMES, 7) {
            assert!(sizes.iter().any(|other| other.case == row.case), "{row:?}");
        }
    }

    #[test]
    fn printed_speed_ups_are_quotients_of_printed_times() {
        // Times have two places, so short ones say little; two speed-ups are rounded otherwise.
        let odd = ["Petersons 2"];
        for row in ProbRow::all(TIMES, 7)
            .iter()
            .filter(|row| !odd.contains(&row.case))
        {
            let number = |column: usize| row.cells[column].number();
            for method in 1..4 {
                let times = number(0).zip(number(method));
                let Some(((none, with), ratio)) = times.zip(number(method + 3)) else {
                    continue;
                };
                let slack = 0.06 + ratio * 0.006 / with;
                assert!((none / with - ratio).abs() < slack, "{row:?}, {method}");
            }
        }
    }

    #[test]
    fn the_closed_forms_are_the_right_numbers() {
        let n = |text: &str| text.parse::<u64>().expect("a number");
        for row in ProbRow::all(SIZES, 4) {
            let (name, size) = row.case.split_once(' ').expect("a size");
            let k = n(size);
            let three = 3_u64.pow(k.min(20) as u32);
            let (states, orbits) = match name {
                "scheduler0" => (
                    three + k * three / 3 + 1,
                    Some((k + 2) * (k + 1) / 2 + (k + 1) * k / 2 + 1),
                ),
                "phonebook" if k < 9 => ((k + 1).pow(k as u32) + 1, None),
                "BinaryRelations" => ((1 << (k * k)) + 1, None),
                _ => continue,
            };
            assert_ne!(row.cells[0].agrees(states), Some(false), "{row:?}");
            if let Some(orbits) = orbits {
                assert_eq!(row.cells[1].agrees(orbits), Some(true), "{row:?}");
            }
        }
    }

    #[test]
    fn a_right_number_goes_before_a_printed_one() {
        let cell = PrintedNumber::parse("1277~1227");
        assert_eq!(
            (cell.agrees(1227), cell.agrees(1277)),
            (Some(true), Some(false))
        );
        assert_eq!(cell.words(), "1277 (1227)");
        let bound = PrintedNumber::parse(">940575");
        assert_eq!(
            (bound.agrees(940_576), bound.agrees(5)),
            (Some(true), Some(false))
        );
        let none = PrintedNumber::parse("-");
        assert_eq!((none.agrees(1), none.words()), (None, "-".to_owned()));
        assert_eq!(PrintedNumber::parse("-~65").agrees(65), Some(true));
    }
}
