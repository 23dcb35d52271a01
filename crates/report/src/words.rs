//! Numbers, durations and sizes as people write them, and text that is safe to show.

use base::words::three_digits;
pub use base::words::{bytes, counted, grouped};
use std::time::Duration;

/// A duration with three digits that matter, in the unit that fits.
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    let whole = duration.as_secs();
    match whole {
        3600.. => format!("{} h {:02} min", grouped(whole / 3600), whole % 3600 / 60),
        60.. => format!("{} min {:02} s", whole / 60, whole % 60),
        // What would be written as 1000 belongs to the next unit.
        _ if seconds >= 0.9995 => format!("{} s", three_digits(seconds)),
        _ if seconds >= 0.9995e-3 => format!("{} ms", three_digits(seconds * 1e3)),
        _ => format!("{} µs", three_digits(seconds * 1e6)),
    }
}

/// A text in one line that cannot steer a terminal: runs of blanks become one, and what is not
/// printable becomes a dot.
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !shown.is_empty() {
            shown.push(' ');
        }
        let letters = word.chars();
        shown.extend(letters.map(|c| if c.is_control() { '·' } else { c }));
    }
    shown
}

/// The text, or its start and an ellipsis, in at most `width` characters.
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut start: String = text.chars().take(width.saturating_sub(1)).collect();
    start.push('…');
    start
}

/// The text in lines of at most `width` characters. Lines end at blanks, else behind a comma, and
/// only where there is neither in the middle of a word.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let (mut lines, mut left) = (Vec::new(), text);
    while left.chars().count() > width {
        let end = left
            .char_indices()
            .nth(width)
            .map_or(left.len(), |(at, _)| at);
        // A line may end before a blank that does not fit any more.
        let blank = if left[end..].starts_with(' ') {
            Some(end)
        } else {
            left[..end].rfind(' ')
        };
        let comma = left[..end].rfind(',').map(|at| at + 1);
        let at = blank.or(comma).filter(|at| *at > 0).unwrap_or(end);
        lines.push(left[..at].trim_end().to_owned());
        left = left[at..].trim_start();
    }
    if !left.is_empty() || lines.is_empty() {
        lines.push(left.to_owned());
    }
    lines
}

/// A number of many digits by its first ones and how many there are.
pub fn short_number(digits: &str) -> String {
    const SHOWN_MAX: usize = 60;
    if digits.len() <= SHOWN_MAX {
        return digits.to_owned();
    }
    format!("{}… ({} digits)", &digits[..20], digits.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        let shown = [0, 12, 123, 1234, 123456, 1234567, u64::MAX].map(grouped);
        let expected = [
            "0",
            "12",
            "123",
            "1,234",
            "123,456",
            "1,234,567",
            "18,446,744,073,709,551,615",
        ];
        assert_eq!(shown, expected);
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(counted(1000, "step"), "1,000 steps");
    }

    #[test]
    fn lines_end_at_blanks_and_commas() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("{aaa,bbb,ccc}", 9), ["{aaa,bbb,", "ccc}"]);
        assert_eq!(wrapped("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrapped("日本 語です", 3), ["日本", "語です"]);
        assert_eq!(wrapped("", 5), [""]);
    }

    #[test]
    fn durations_have_the_unit_that_fits() {
        let shown = [0, 999, 999_600, 12_345_678, 999_400_000, 999_600_000]
            .map(|nanos| duration(Duration::from_nanos(nanos)));
        let expected = [
            "0.00 µs", "1.00 µs", "1.00 ms", "12.3 ms", "999 ms", "1.00 s",
        ];
        assert_eq!(shown, expected);
        let shown = [1, 59, 60, 61, 3599, 3600, 7384, 360_000]
            .map(|seconds| duration(Duration::from_secs(seconds)));
        let expected = [
            "1.00 s",
            "59.0 s",
            "1 min 00 s",
            "1 min 01 s",
            "59 min 59 s",
            "1 h 00 min",
            "2 h 03 min",
            "100 h 00 min",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn sizes_have_the_unit_that_fits() {
        let shown = [1, 999, 1000, 12_345, 999_499, 999_500, 5_000_000_000].map(bytes);
        let expected = [
            "1 byte",
            "999 bytes",
            "1.00 kB",
            "12.3 kB",
            "999 kB",
            "1.00 MB",
            "5.00 GB",
        ];
        assert_eq!(shown, expected);
        assert_eq!(bytes(u64::MAX), "18.4 EB");
    }

    #[test]
    fn what_is_shown_stays_in_its_line_and_cannot_steer() {
        assert_eq!(plain(" a\n\tb \x1b[31mc\x07"), "a b ·[31mc·");
        assert_eq!(plain("é → 日"), "é → 日");
    }

    #[test]
    fn long_texts_end_in_an_ellipsis() {
        assert_eq!(cut("日本語です", 5), "日本語です");
        assert_eq!(cut("日本語です", 4), "日本語…");
        assert_eq!(cut("abc", 0), "…");
    }

    #[test]
    fn numbers_of_many_digits_are_measured() {
        assert_eq!(short_number("5040"), "5040");
        let long = "7".repeat(61);
        assert_eq!(
            short_number(&long),
            format!("{}… (61 digits)", "7".repeat(20))
        );
    }
}
