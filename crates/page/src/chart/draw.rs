//! A chart as SVG.

use super::arrange::{Arrow, Chart, Row};
use crate::html::escaped;
use std::collections::HashMap;
use std::fmt::Write;

const LEFT: f64 = 64.0;
const TOP: f64 = 58.0;
const ROW: f64 = 28.0;
const MARK: f64 = 5.0;
/// About how wide a character is.
const CHARACTER: f64 = 6.3;

/// Colours: those that a page gives, else these, by day or by night.
const STYLE: &str = "\
svg.chart{--c-ink:var(--ink,#1d2227);--c-soft:var(--soft,#5b6570);\
--c-line:var(--line,#d3d6d2);\
--c-paper:var(--paper,#fdfdfb);--c-accent:var(--accent,#1f5fa8)}\
@media(prefers-color-scheme:dark){svg.chart{--c-ink:var(--ink,#e6e8ea);\
--c-soft:var(--soft,#a4adb6);--c-line:var(--line,#3a424b);--c-paper:var(--paper,#16191d);\
--c-accent:var(--accent,#7db4f0)}}";

/// The chart, drawn.
pub fn svg(chart: &Chart) -> String {
    let places = Places::of(chart);
    let (width, height) = (places.width(), places.y(chart.rows.len()) + 12.0);
    let mut out = format!(
        "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"Message-sequence chart of a run of {n} steps\" \
         font-family=\"ui-monospace, 'DejaVu Sans Mono', monospace\" font-size=\"11\">\n\
         <style>{STYLE}</style>\n\
         <defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto-start-reverse\"><path d=\"M0 0L10 5L0 10z\" \
         fill=\"var(--c-accent)\"/></marker></defs>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"var(--c-paper)\"/>\n",
        n = chart.rows.iter().map(|row| row.steps.len()).sum::<usize>() + chart.n_left_out,
    );
    for (lane, name) in chart.lanes.iter().enumerate() {
        out.push_str(&places.head(lane, name, height));
    }
    if let Some((from, to)) = chart.repeated {
        out.push_str(&places.bracket(from, to));
    }
    for arrow in &chart.arrows {
        out.push_str(&places.arrow(arrow));
    }
    for (n, row) in chart.rows.iter().enumerate() {
        let drawn = if row.steps.is_empty() {
            places.gap(n, chart.n_left_out)
        } else {
            places.row(n, row)
        };
        out.push_str(&drawn);
    }
    out.push_str("</svg>\n");
    out
}

/// Texts stand at the right of their marks. One where an arrow leaves to the right stands above it;
/// one where an arrow arrives from there, and so from above, stands below.
fn lower(chart: &Chart) -> HashMap<(usize, usize), f64> {
    let mut lower = HashMap::new();
    for arrow in &chart.arrows {
        let (Some(from), to) = (arrow.from, arrow.to) else {
            continue;
        };
        if to.is_none_or(|to| to.1 > from.1) {
            lower.insert(from, -8.0);
        }
        if let Some(to) = to.filter(|to| to.1 < from.1) {
            let is_level = to.0 == from.0;
            lower.insert(to, if is_level { -8.0 } else { 10.0 });
        }
    }
    lower
}

/// Where lanes and rows are.
struct Places {
    n_lanes: usize,
    gap: f64,
    /// How much lower a text stands, by row and lane: it makes way for an arrow on its side.
    lower: HashMap<(usize, usize), f64>,
}

impl Places {
    fn of(chart: &Chart) -> Places {
        let n_lanes = chart.lanes.len().max(1);
        let texts = chart.rows.iter().flat_map(|row| &row.texts);
        let longest = texts.map(|text| text.chars().count()).max().unwrap_or(0);
        let wanted = longest as f64 * CHARACTER + 30.0;
        let least = if n_lanes > 12 { 90.0 } else { 120.0 };
        let most = if n_lanes == 1 { 600.0 } else { 190.0 };
        Places {
            n_lanes,
            gap: wanted.clamp(least, most),
            lower: lower(chart),
        }
    }

    fn width(&self) -> f64 {
        LEFT + self.n_lanes as f64 * self.gap + 40.0
    }

    fn x(&self, lane: usize) -> f64 {
        LEFT + 20.0 + lane as f64 * self.gap
    }

    fn y(&self, row: usize) -> f64 {
        TOP + row as f64 * ROW
    }

    /// A text that fits beside a lane.
    fn fitted(&self, text: &str) -> String {
        let n_max = ((self.gap - 18.0) / CHARACTER) as usize;
        if text.chars().count() <= n_max {
            return escaped(text);
        }
        let cut: String = text.chars().take(n_max.saturating_sub(1)).collect();
        escaped(&format!("{cut}…"))
    }

    fn head(&self, lane: usize, name: &str, height: f64) -> String {
        let x = self.x(lane);
        let name = if name.is_empty() { "model" } else { name };
        format!(
            "<g class=\"lane\"><title>{}</title><line x1=\"{x}\" y1=\"32\" x2=\"{x}\" y2=\"{}\" \
             stroke=\"var(--c-line)\"/><text x=\"{}\" y=\"22\" fill=\"var(--c-ink)\" \
             font-weight=\"700\">{}</text></g>\n",
            escaped(name),
            height - 6.0,
            x - 8.0,
            self.fitted(name)
        )
    }

    fn bracket(&self, from: usize, to: usize) -> String {
        let (top, bottom) = (self.y(from) - 9.0, self.y(to) + 9.0);
        let middle = (top + bottom) / 2.0;
        format!(
            "<g class=\"loop\"><title>from here on again and again</title><path d=\"M28 {top}H20V\
             {bottom}H28\" fill=\"none\" stroke=\"var(--c-accent)\" stroke-width=\"2\"/>\
             <text x=\"14\" y=\"{middle}\" fill=\"var(--c-accent)\" text-anchor=\"middle\" \
             transform=\"rotate(-90 14 {middle})\">again and again</text></g>\n"
        )
    }

    fn gap(&self, row: usize, n: usize) -> String {
        format!(
            "<text x=\"{}\" y=\"{}\" fill=\"var(--c-soft)\">… {n} steps are not drawn …</text>\n",
            self.x(0),
            self.y(row) + 4.0
        )
    }

    fn row(&self, n: usize, row: &Row) -> String {
        let y = self.y(n);
        let steps: Vec<String> = row.steps.iter().map(ToString::to_string).collect();
        let mut out = format!(
            "<g class=\"step\" data-step=\"{}\" tabindex=\"-1\"><title>{}</title>\
             <rect x=\"30\" y=\"{}\" width=\"{}\" height=\"{ROW}\" fill=\"transparent\"/>\
             <text x=\"58\" y=\"{}\" fill=\"var(--c-soft)\" text-anchor=\"end\">{}</text>",
            steps.join(" "),
            escaped(&row.texts.join("; ")),
            y - ROW / 2.0,
            self.width() - 34.0,
            y + 4.0,
            steps.join("–"),
        );
        if let (Some(first), Some(last)) = (row.lanes.iter().min(), row.lanes.iter().max())
            && row.texts.len() == 1
            && first != last
        {
            let _ = write!(
                out,
                "<line x1=\"{}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"var(--c-accent)\" \
                 stroke-width=\"1.5\"/>",
                self.x(*first),
                self.x(*last)
            );
        }
        for (k, lane) in row.lanes.iter().enumerate() {
            let x = self.x(*lane);
            let _ = write!(
                out,
                "<rect class=\"mark\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"1\" \
                 fill=\"var(--c-ink)\"/>",
                x - MARK,
                y - MARK,
                2.0 * MARK,
                2.0 * MARK
            );
            if let Some(text) = row.texts.get(k) {
                let _ = write!(
                    out,
                    "<text x=\"{}\" y=\"{}\" fill=\"var(--c-ink)\" stroke=\"var(--c-paper)\" \
                     stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
                    x + 10.0,
                    y + 4.0 + self.lower.get(&(n, *lane)).copied().unwrap_or(0.0),
                    self.fitted(text)
                );
            }
        }
        out.push_str("</g>\n");
        out
    }

    fn arrow(&self, arrow: &Arrow) -> String {
        let place = |(row, lane): (usize, usize)| (self.x(lane), self.y(row));
        let dashes = if arrow.stays {
            " stroke-dasharray=\"5 3\""
        } else {
            ""
        };
        let line = |x1: f64, y1: f64, x2: f64, y2: f64| {
            // The head ends at the edge of a mark, not under it.
            let (dx, dy) = (x2 - x1, y2 - y1);
            let length = dx.hypot(dy).max(1.0);
            let (x2, y2) = (x2 - dx / length * 6.0, y2 - dy / length * 6.0);
            format!(
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
                 stroke=\"var(--c-accent)\" stroke-width=\"1.5\"{dashes} \
                 marker-end=\"url(#head)\"/>"
            )
        };
        let circle = |x: f64, y: f64| {
            format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"none\" \
                 stroke=\"var(--c-accent)\"/>"
            )
        };
        let drawn = match (arrow.from.map(place), arrow.to.map(place)) {
            (Some((x, y)), Some((to_x, to_y))) if x == to_x => format!(
                "<path d=\"M{x:.1} {y:.1}C{c:.1} {y:.1} {c:.1} {to_y:.1} {e:.1} {to_y:.1}\" \
                 fill=\"none\" stroke=\"var(--c-accent)\" stroke-width=\"1.5\"{dashes} \
                 marker-end=\"url(#head)\"/>",
                c = x - 30.0,
                e = x - 6.0,
            ),
            (Some((x, y)), Some((to_x, to_y))) => line(x, y, to_x, to_y),
            (Some((x, y)), None) => line(x, y, x + 30.0, y + 13.0) + &circle(x + 30.0, y + 13.0),
            (None, Some((x, y))) => line(x - 30.0, y - 13.0, x, y) + &circle(x - 30.0, y - 13.0),
            (None, None) => return String::new(),
        };
        format!(
            "<g class=\"message\"><title>{}</title>{drawn}</g>\n",
            escaped(&arrow.text)
        )
    }
}
