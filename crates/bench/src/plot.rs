//! Lines over a size, with a logarithmic axis for what grows, as SVG.
//!
//! Each line has a colour, a dash pattern and a mark of its own; they are named at the right, in
//! the order of their last values. Colours are variables with defaults, by day or by night; the
//! file needs nothing else. Worked example: values from 3 to 4,000 have an axis from 1 to 10,000
//! with a line at each power of ten.

use std::fmt::Write;
use std::path::Path;
use view::draw::text::escaped;

/// Lines to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// What the horizontal axis is.
    pub x: String,
    /// What the vertical axis is.
    pub y: String,
    /// The lines.
    pub lines: Vec<PlotLine>,
}

/// A line.
#[derive(Clone, PartialEq, Debug)]
pub struct PlotLine {
    /// What it is called.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<PlotPoint>,
}

/// A point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlotPoint {
    /// The size.
    pub x: f64,
    /// What is measured: not drawn unless it is positive.
    pub y: f64,
}

/// The drawing, and where the axes are in it.
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 124.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 48.0;
/// How far names of lines are apart.
const NAME_GAP: f64 = 18.0;

const STYLE: &str = "\
svg.plot{--p-ink:var(--ink,#1f2328);--p-paper:var(--paper,#fff);--p-grid:var(--grid,#d0d7de);\
--p0:#0969da;--p1:#bc4c00;--p2:#8250df}
@media (prefers-color-scheme:dark){svg.plot{--p-ink:var(--ink,#e6edf3);\
--p-paper:var(--paper,#0d1117);--p-grid:var(--grid,#30363d);\
--p0:#58a6ff;--p1:#f0883e;--p2:#b392f0}}
svg.plot .sheet{fill:var(--p-paper)}
svg.plot text{fill:var(--p-ink)}
svg.plot .grid{stroke:var(--p-grid)}
svg.plot .axis{stroke:var(--p-ink)}
svg.plot .l0{stroke:var(--p0)}svg.plot .m0{fill:var(--p0)}
svg.plot .l1{stroke:var(--p1)}svg.plot .m1{fill:var(--p1)}
svg.plot .l2{stroke:var(--p2)}svg.plot .m2{fill:var(--p2)}";

/// By line: a colour where variables are not known, and dashes.
const LOOKS: [(&str, &str); 3] = [
    ("#0969da", ""),
    ("#bc4c00", " stroke-dasharray=\"6 3\""),
    ("#8250df", " stroke-dasharray=\"2 3\""),
];

/// Where values are drawn.
struct Axes {
    x: [f64; 2],
    /// Powers of ten.
    y: [i32; 2],
}

impl Axes {
    fn of(points: &[PlotPoint]) -> Option<Axes> {
        let xs = || points.iter().map(|point| point.x);
        let ys = || points.iter().map(|point| point.y);
        let (low, high) = (ys().reduce(f64::min)?, ys().reduce(f64::max)?);
        let (from, to) = (xs().reduce(f64::min)?, xs().reduce(f64::max)?);
        let least = low.log10().floor() as i32;
        Some(Axes {
            x: [from, if to > from { to } else { from + 1.0 }],
            y: [least, (high.log10().ceil() as i32).max(least + 1)],
        })
    }

    fn x(&self, value: f64) -> f64 {
        let share = (value - self.x[0]) / (self.x[1] - self.x[0]);
        LEFT + share * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        let [low, high] = self.y.map(f64::from);
        let share = (value.log10() - low) / (high - low);
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }
}

impl Plot {
    /// Writes the plot into a file, or says why it cannot.
    pub fn write(&self, path: &Path) {
        if let Err(why) = std::fs::write(path, self.svg()) {
            orbit::output::complain(&format!("cannot write {}: {why}\n", path.display()));
        }
    }

    /// The plot as SVG.
    pub fn svg(&self) -> String {
        let title = escaped(&self.title);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
             aria-label=\"{title}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n\
             <rect class=\"sheet\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
             <text x=\"{LEFT}\" y=\"20\" font-weight=\"bold\">{title}</text>\n"
        );
        let drawn: Vec<PlotLine> = self.lines.iter().map(PlotLine::positive).collect();
        let points: Vec<PlotPoint> = drawn.iter().flat_map(|l| l.points.clone()).collect();
        if let Some(axes) = Axes::of(&points) {
            self.put_axes(&mut out, &axes, &points);
            for (i, line) in drawn.iter().enumerate() {
                put_line(&mut out, line, i, &axes);
            }
            for (place, line) in in_order(&drawn).into_iter().enumerate() {
                put_name(&mut out, &drawn[line].name, line, place);
            }
        }
        out.push_str("</svg>\n");
        out
    }

    fn put_axes(&self, out: &mut String, axes: &Axes, points: &[PlotPoint]) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for power in axes.y[0]..=axes.y[1] {
            let y = axes.y(10_f64.powi(power));
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#d0d7de\"/>\
                 <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                y + 4.0,
                of_power(power)
            );
        }
        let mut sizes: Vec<f64> = points.iter().map(|point| point.x).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        for size in sizes {
            let x = axes.x(size);
            let _ = writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{size}</text>",
                bottom + 18.0
            );
        }
        let (middle, height) = ((LEFT + right) / 2.0, (TOP + bottom) / 2.0);
        let _ = writeln!(
            out,
            "<path class=\"axis\" d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" \
             stroke=\"#1f2328\"/>\n\
             <text x=\"{middle:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(16 {height:.0}) rotate(-90)\" \
             text-anchor=\"middle\">{}</text>",
            bottom + 38.0,
            escaped(&self.x),
            escaped(&self.y)
        );
    }
}

impl PlotLine {
    /// The points that a logarithmic axis has.
    fn positive(&self) -> PlotLine {
        let points = self.points.iter().copied();
        PlotLine {
            name: self.name.clone(),
            points: points.filter(|point| point.y > 0.0).collect(),
        }
    }
}

/// A power of ten: plain where that is short.
fn of_power(power: i32) -> String {
    match power {
        0..=3 => 10_u32.pow(power as u32).to_string(),
        -3..=-1 => format!("{}", 10_f64.powi(power)),
        _ => format!("1e{power}"),
    }
}

fn put_line(out: &mut String, line: &PlotLine, number: usize, axes: &Axes) {
    let look = number % LOOKS.len();
    let (colour, dashes) = LOOKS[look];
    let places = line
        .points
        .iter()
        .map(|point| format!("{:.1} {:.1}", axes.x(point.x), axes.y(point.y)));
    let places: Vec<String> = places.collect();
    if places.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<path class=\"l{look}\" d=\"M{}\" fill=\"none\" stroke=\"{colour}\" \
         stroke-width=\"2\"{dashes}/>",
        places.join("L")
    );
    for point in &line.points {
        let (x, y) = (axes.x(point.x), axes.y(point.y));
        let _ = writeln!(
            out,
            "<path class=\"m{look}\" d=\"{}\" fill=\"{colour}\">\
             <title>{}: {} at {}</title></path>",
            mark(look, x, y),
            escaped(&line.name),
            point.y,
            point.x
        );
    }
}

/// The lines that have points, the one with the largest last value first.
fn in_order(lines: &[PlotLine]) -> Vec<usize> {
    let last = |line: &usize| lines[*line].points.last().map(|point| (point.x, point.y));
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.retain(|line| last(line).is_some());
    order.sort_by(|a, b| {
        let (a, b) = (last(a).unwrap_or_default(), last(b).unwrap_or_default());
        // A line that ended early grows faster.
        a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1))
    });
    order
}

/// The name of a line, beside a piece of it.
fn put_name(out: &mut String, name: &str, number: usize, place: usize) {
    let look = number % LOOKS.len();
    let (colour, dashes) = LOOKS[look];
    let (x, y) = (WIDTH - RIGHT + 14.0, TOP + 12.0 + NAME_GAP * place as f64);
    let _ = writeln!(
        out,
        "<path class=\"l{look}\" d=\"M{x} {y}h22\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
         <path class=\"m{look}\" d=\"{}\" fill=\"{colour}\"/>\
         <text x=\"{}\" y=\"{}\">{}</text>",
        mark(look, x + 11.0, y),
        x + 28.0,
        y + 4.0,
        escaped(name)
    );
}

/// The mark of a line at a point.
fn mark(look: usize, x: f64, y: f64) -> String {
    match look {
        0 => format!("M{:.1} {y:.1}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", x - 4.0),
        1 => format!("M{:.1} {:.1}h7v7h-7z", x - 3.5, y - 3.5),
        _ => format!("M{x:.1} {:.1}l4.5 8h-9z", y - 5.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, points: &[(f64, f64)]) -> PlotLine {
        PlotLine {
            name: name.to_owned(),
            points: points
                .iter()
                .map(|(x, y)| PlotPoint { x: *x, y: *y })
                .collect(),
        }
    }

    #[test]
    fn a_factor_is_a_distance() {
        let points = line("a", &[(2.0, 3.0), (6.0, 4000.0)]).points;
        let axes = Axes::of(&points).expect("points");
        assert_eq!(axes.y, [0, 4]);
        let step = axes.y(10.0) - axes.y(100.0);
        assert!((axes.y(100.0) - axes.y(1000.0) - step).abs() < 1e-9 && step > 0.0);
        assert_eq!((axes.x(2.0), axes.x(6.0)), (LEFT, WIDTH - RIGHT));
    }

    #[test]
    fn lines_that_end_early_and_high_are_named_first() {
        let lines = [
            line("long", &[(1.0, 1.0), (3.0, 9.0)]),
            line("low", &[(1.0, 1.0), (2.0, 2.0)]),
            line("none", &[]),
            line("high", &[(1.0, 1.0), (2.0, 5.0)]),
        ];
        assert_eq!(in_order(&lines), [3, 1, 0]);
    }

    #[test]
    fn what_is_hostile_or_missing_is_drawn_as_text_or_not_at_all() {
        let plot = Plot {
            title: "<script>&".to_owned(),
            x: "n".to_owned(),
            y: "s".to_owned(),
            lines: vec![line("<b>", &[(1.0, 0.0), (2.0, 5.0)]), line("none", &[])],
        };
        let drawn = plot.svg();
        assert!(!drawn.contains("<script") && drawn.contains("&lt;script&gt;&amp;"));
        assert_eq!(drawn.matches("<title>&lt;b&gt;: ").count(), 1);
        let empty = Plot {
            lines: Vec::new(),
            ..plot
        };
        assert!(empty.svg().ends_with("</svg>\n"));
    }
}
