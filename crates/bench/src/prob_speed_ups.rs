//! Figure 5.3 of E. N. Turner's thesis, drawn anew: how many times faster a search with reduction
//! is than one without, by size.
//!
//! A plot for each of the five machines of the figure, with a line for our default, one for our
//! labels, and one for what is printed of labels in 2007 (the figure itself is lost; its numbers
//! are those of table 5.3). A size is left out where one of the two searches was not finished.

use super::Bench;
use super::plot::{Plot, PlotLine, PlotPoint};
use super::prob::{StrategyResults, complete};
use super::prob_rows::ProbRow;
use strategies::Strategy;

/// The machines of the figure.
const MACHINES: [&str; 5] = [
    "scheduler0",
    "RussianPostalPuzzle",
    "phonebook",
    "FileSystem",
    "HotelKeys",
];

/// The lines of a plot.
const LINES: [&str; 3] = ["canonical", "labels", "labels 2007"];

/// Where the printed speed-up of labels stands in a row of the table of times.
const PRINTED_AT: usize = 4;

/// What is drawn, machine by machine.
#[derive(Default)]
pub struct Curves {
    by_machine: [[Vec<PlotPoint>; 3]; 5],
}

impl Curves {
    /// Adds what was found for a machine of some size.
    pub fn add(&mut self, row: &ProbRow, printed: Option<&ProbRow>, found: &StrategyResults) {
        let Some((name, size)) = row.case.split_once(' ') else {
            return;
        };
        let machine = MACHINES.iter().position(|machine| *machine == name);
        let (Some(machine), Ok(x)) = (machine, size.trim().parse()) else {
            return;
        };
        let seconds = |strategy| complete(found, strategy).map(|measured| measured.pace.each());
        let none = seconds(Strategy::None);
        let ratio = |strategy| Some(none? / seconds(strategy)?);
        let values = [
            ratio(Strategy::Canonical),
            ratio(Strategy::Labels),
            printed.and_then(|row| row.cells[PRINTED_AT].number()),
        ];
        for (line, y) in self.by_machine[machine].iter_mut().zip(values) {
            line.extend(y.map(|y| PlotPoint { x, y }));
        }
    }

    /// The plots, with the names of their machines.
    fn plots(&self) -> Vec<(&'static str, Plot)> {
        let drawn = MACHINES.into_iter().zip(&self.by_machine);
        let drawn = drawn.filter(|(_, lines)| lines.iter().any(|line| !line.is_empty()));
        let plot = |(name, lines): (&'static str, &[Vec<PlotPoint>; 3])| {
            let lines = LINES.iter().zip(lines).map(|(name, points)| PlotLine {
                name: (*name).to_owned(),
                points: points.clone(),
            });
            let plot = Plot {
                title: format!("{name}: times faster than without reduction"),
                x: "size of the sets".to_owned(),
                y: "times faster".to_owned(),
                lines: lines.collect(),
            };
            (name, plot)
        };
        drawn.map(plot).collect()
    }

    /// Writes the plots, if they are wanted.
    pub fn draw(&self, bench: &Bench) {
        let Some(folder) = &bench.plots else {
            return;
        };
        for (name, plot) in self.plots() {
            plot.write(&folder.join(format!("speed-up-{name}.svg")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prob::tests::measured;

    #[test]
    fn a_line_has_a_point_where_both_searches_were_finished() {
        let mut curves = Curves::default();
        let times = ProbRow::all(super::super::prob_rows::TIMES, 7);
        for row in ProbRow::all(super::super::prob_rows::SIZES, 4) {
            let printed = times.iter().find(|other| other.case == row.case);
            let mut found = vec![
                (Strategy::Canonical, Ok(measured(0.5, 7, 50))),
                (Strategy::Labels, Ok(measured(2.0, 7, 50))),
            ];
            if row.case != "phonebook 3" {
                found.push((Strategy::None, Ok(measured(8.0, 64, 433))));
            }
            curves.add(&row, printed, &found);
        }
        let plots = curves.plots();
        let names: Vec<&str> = plots.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, MACHINES);
        let (_, phonebook) = &plots[2];
        let at = |line: usize, x: f64| {
            let points = phonebook.lines[line].points.iter();
            points
                .copied()
                .find(|point| point.x == x)
                .map(|point| point.y)
        };
        assert_eq!(
            [at(0, 4.0), at(1, 4.0), at(2, 4.0)],
            [Some(16.0), Some(4.0), Some(11.0)]
        );
        assert_eq!(
            [at(0, 3.0), at(1, 3.0), at(2, 3.0)],
            [None, None, Some(4.1)]
        );
        assert_eq!(at(2, 6.0), Some(231.0));
    }
}
