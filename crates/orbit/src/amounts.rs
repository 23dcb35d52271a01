//! Sizes and times as people write them, and how much memory there is to use.

use std::time::Duration;

/// The number of bytes that a text like `512M` or `1.5G` means.
pub fn bytes(text: &str) -> Option<u64> {
    let units: &[(&str, f64)] = &[
        ("K", 1024.0),
        ("M", 1024.0 * 1024.0),
        ("G", 1024.0 * 1024.0 * 1024.0),
        ("T", 1024.0 * 1024.0 * 1024.0 * 1024.0),
        ("", 1.0),
    ];
    let upper = text.trim().to_ascii_uppercase();
    let stem = upper
        .strip_suffix("IB")
        .or(upper.strip_suffix('B'))
        .unwrap_or(&upper);
    let value = measured(stem, units)?;
    (value < 1e18).then_some(value as u64)
}

/// The time that a text like `30s`, `5m`, `1h` or `500ms` means; a bare number is in seconds.
pub fn time(text: &str) -> Option<Duration> {
    let units: &[(&str, f64)] = &[
        ("ms", 0.001),
        ("s", 1.0),
        ("m", 60.0),
        ("h", 3600.0),
        ("d", 86400.0),
        ("", 1.0),
    ];
    let seconds = measured(text.trim(), units)?;
    (seconds < 1e12).then(|| Duration::from_secs_f64(seconds))
}

/// Four fifths of the memory that is free, as far as this system says how much that is.
pub(crate) fn free_memory() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let free = free_of_meminfo(&read("/proc/meminfo")?)?;
    let number = |path: &str| read(path)?.trim().parse::<u64>().ok();
    let allowed = number("/sys/fs/cgroup/memory.max");
    let used = number("/sys/fs/cgroup/memory.current").unwrap_or(0);
    let free = allowed.map_or(free, |max| free.min(max.saturating_sub(used)));
    Some(free / 5 * 4)
}

/// What the line `MemAvailable` says, in bytes.
fn free_of_meminfo(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes = line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?;
    kilobytes.checked_mul(1024)
}

/// A number that is not negative, times its unit; the first unit that fits counts.
fn measured(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let (stem, unit) = units
        .iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))?;
    let plain = !stem.is_empty() && stem.chars().all(|c| c.is_ascii_digit() || c == '.');
    let value: f64 = plain.then(|| stem.parse().ok())??;
    value.is_finite().then_some(value * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(bytes("512M"), Some(512 << 20));
        assert_eq!(bytes("1.5g"), Some(3 << 29));
        assert_eq!(bytes("4GiB"), Some(4 << 30));
        assert_eq!(bytes("4KB"), Some(4096));
        assert_eq!(bytes("100000"), Some(100_000));
        for wrong in [
            "",
            "M",
            "-1M",
            "1e3",
            "4X",
            "M4",
            "inf",
            "1..2",
            "99999999T",
        ] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(time("30s"), Some(Duration::from_secs(30)));
        assert_eq!(time("5m"), Some(Duration::from_secs(300)));
        assert_eq!(time("1.5h"), Some(Duration::from_secs(5400)));
        assert_eq!(time("250ms"), Some(Duration::from_millis(250)));
        assert_eq!(time("7"), Some(Duration::from_secs(7)));
        for wrong in ["", "s", "-1s", "1w", "soon", "nan"] {
            assert_eq!(time(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn free_memory_is_what_the_line_says() {
        let text = "MemTotal:  100 kB\nMemAvailable:   50 kB\n";
        assert_eq!(free_of_meminfo(text), Some(50 * 1024));
        assert_eq!(free_of_meminfo("MemTotal: 1 kB\n"), None);
    }
}
