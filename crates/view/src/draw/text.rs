//! Words in drawings: how wide they are, how they are shortened, how they are written in XML.

/// How wide a character is, as drawn.
pub const CHARACTER: f64 = 7.3;
/// What sets a line in; spaces at its beginning would not be drawn.
const SET_IN: &str = "\u{a0}\u{a0}";
/// How far lines are apart.
pub const LINE: f64 = 16.0;

/// At most so many characters, the last one `…` if some are left out.
pub fn shortened(text: &str, n_max: usize) -> String {
    match text.char_indices().nth(n_max) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(n_max.saturating_sub(1)).collect();
            kept + "…"
        }
    }
}

/// A text in lines of at most so many characters, cut at spaces; lines after the first are set in.
/// At most so many lines; the last ends with `…` if more is left out.
pub fn wrapped(text: &str, n_max: usize, n_lines_max: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let length = line.chars().count() + 1 + word.chars().count();
        if !line.trim().is_empty() && length > n_max {
            lines.push(std::mem::replace(&mut line, SET_IN.to_owned()));
        }
        if !line.trim().is_empty() {
            line.push(' ');
        }
        line += word;
    }
    lines.push(line);
    if lines.len() > n_lines_max {
        lines.truncate(n_lines_max);
        if let Some(last) = lines.last_mut() {
            *last += " …";
        }
    }
    let lines = lines.iter();
    lines
        .map(|line| shortened(line, n_max + n_max / 2))
        .collect()
}

/// How wide a text is, as drawn with characters of one width; those of East Asia take two.
pub fn width(text: &str) -> f64 {
    let columns = text.chars().map(|c| match c as u32 {
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 => 2,
        0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0x1f300..=0x1faff => 2,
        _ => 1,
    });
    f64::from(columns.sum::<u32>()) * CHARACTER
}

/// A text as XML has it, in elements and in attributes; what XML cannot have is replaced.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_long_ends_with_dots() {
        assert_eq!(shortened("abcdef", 6), "abcdef");
        assert_eq!(shortened("abcdefg", 6), "abcde…");
        assert_eq!(shortened("äöüß", 3), "äö…");
    }

    #[test]
    fn lines_are_cut_at_spaces_and_set_in() {
        let lines = wrapped("user: st == idle; st = trying", 18, 3);
        assert_eq!(lines, ["user: st == idle;", "\u{a0}\u{a0}st = trying"]);
        assert_eq!(
            wrapped("aaaa bbbb cccc", 4, 2),
            ["aaaa", "\u{a0}\u{a0}bbb…"]
        );
        assert_eq!(wrapped("", 5, 2), [""]);
    }

    #[test]
    fn marks_of_xml_are_written_out() {
        assert_eq!(
            escaped("<a b=\"c\">&'\u{1}"),
            "&lt;a b=&quot;c&quot;&gt;&amp;&#39;\u{fffd}"
        );
    }
}
