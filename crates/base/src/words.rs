//! Numbers and sizes as people write them.

/// `1234567` as `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `n` things: `1 state`, `2 states`.
pub fn counted(n: u64, thing: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {thing}{s}", grouped(n))
}

/// A size in bytes with three digits that matter, in powers of 1000.
pub fn bytes(n: u64) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"];
    if n < 1000 {
        return counted(n, "byte");
    }
    let mut value = n as f64 / 1000.0;
    let mut unit = 0;
    // What would be written as 1000 belongs to the next unit.
    while value >= 999.5 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    format!("{} {}", three_digits(value), units[unit])
}

/// A number below 1000 with three digits.
pub fn three_digits(value: f64) -> String {
    match value {
        ..9.995 => format!("{value:.2}"),
        ..99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
