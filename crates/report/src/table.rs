//! Rows with aligned columns, in a given width.
//!
//! A column is as wide as its widest cell, unless that is more than it may take. The last column
//! gets what is left and is not padded. Cells that do not fit take several lines. A column in which
//! all cells are empty is left out.

use crate::words::wrapped;

/// How a column is set.
#[derive(Clone, Copy)]
pub struct ColumnStyle {
    /// What stands above it.
    pub title: &'static str,
    /// On which side blanks go.
    pub align: Align,
    /// The most characters it may take.
    pub width_max: usize,
}

/// On which side of its column a cell stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Blanks after it.
    Left,
    /// Blanks before it.
    Right,
}

/// Blanks between two columns.
const GAP: usize = 2;
/// What the last column gets at least.
const LAST_MIN: usize = 20;

/// The lines of a table, its titles first, without ends of lines.
pub fn lines<const N: usize>(
    columns: &[ColumnStyle; N],
    rows: &[[String; N]],
    width: usize,
) -> Vec<String> {
    let titles = columns.map(|column| column.title.to_owned());
    let mut widths = [0; N];
    let mut taken = 0;
    let is_bare = |i: usize| !rows.is_empty() && rows.iter().all(|row| row[i].is_empty());
    let bare: [bool; N] = std::array::from_fn(|i| i + 1 < N && is_bare(i));
    for i in (0..N).filter(|i| !bare[*i]) {
        let cells = rows.iter().map(|row| row[i].chars().count());
        let widest = cells.chain([titles[i].chars().count()]).max().unwrap_or(0);
        widths[i] = widest.min(columns[i].width_max);
        if i + 1 == N {
            widths[i] = width.saturating_sub(taken).max(LAST_MIN);
        }
        taken += widths[i] + GAP;
    }
    let set = |row: &[String; N]| {
        let shown = |i: &usize| !bare[*i];
        let cells: Vec<(usize, Vec<String>)> = (0..N)
            .filter(shown)
            .map(|i| (i, wrapped(&row[i], widths[i])))
            .collect();
        let n_lines = cells.iter().map(|(_, lines)| lines.len()).max();
        (0..n_lines.unwrap_or(0)).map(move |n| {
            let parts = cells.iter().map(|(i, lines)| {
                let (cell, width) = (lines.get(n).map_or("", String::as_str), widths[*i]);
                match columns[*i].align {
                    Align::Left => format!("{cell:<width$}"),
                    Align::Right => format!("{cell:>width$}"),
                }
            });
            let line = parts.collect::<Vec<String>>().join(&" ".repeat(GAP));
            line.trim_end().to_owned()
        })
    };
    std::iter::once(&titles).chain(rows).flat_map(set).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [ColumnStyle; 3] = [
        ColumnStyle {
            title: "#",
            align: Align::Right,
            width_max: 10,
        },
        ColumnStyle {
            title: "who",
            align: Align::Left,
            width_max: 6,
        },
        ColumnStyle {
            title: "what",
            align: Align::Left,
            width_max: usize::MAX,
        },
    ];

    #[test]
    fn columns_are_aligned_and_long_cells_take_several_lines() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned);
        let rows = [
            row(["1", "Pé", "x = 1"]),
            row(["100", "Producer (1)", &"y".repeat(50)]),
            row(["7", "", ""]),
        ];
        let expected = [
            "  #  who     what",
            "  1  Pé      x = 1",
            "100  Produc  yyyyyyyyyyyyyyyyyyyyyyyyyyy",
            "     er (1)  yyyyyyyyyyyyyyyyyyyyyyy",
            "  7",
        ];
        assert_eq!(lines(&COLUMNS, &rows, 40), expected);
    }

    #[test]
    fn a_column_without_words_is_left_out() {
        let rows = [["1", "", "x = 1"].map(str::to_owned)];
        assert_eq!(lines(&COLUMNS, &rows, 40), ["#  what", "1  x = 1"]);
    }

    #[test]
    fn the_last_column_keeps_some_room_in_any_width() {
        let rows = [["1", "P", "a change of some length"].map(str::to_owned)];
        let shown = lines(&COLUMNS, &rows, 0);
        assert_eq!(shown[1..], ["1  P    a change of some", "        length"]);
    }
}
