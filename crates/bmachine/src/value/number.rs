//! Arithmetic of B: numbers have no bound.
//!
//! A number that fits into 64 bits is a [`Value::Int`], and every other one a [`Value::Big`], so
//! that each number has one form. Operators try 64 bits first; only what leaves them is worked out
//! with big integers. Numbers of more than [`BITS_MAX`] bits are not made: that is no fault of the
//! expression, and whoever asked is told that the question is cut.
//!
//! Worked example: `2 ** 63` is one more than the greatest 64-bit number, so it is a big integer;
//! `2 ** 63 - 1` is none again.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::{BigInt, Sign};

use super::{Value, ValueError};

/// Numbers with more bits than this are not made.
pub const BITS_MAX: u64 = 1 << 16;

/// The number as a value.
pub fn of(big: BigInt) -> Value {
    match i64::try_from(&big) {
        Ok(int) => Value::Int(int),
        Err(_) => Value::Big(Arc::new(big)),
    }
}

/// The number that digits of a radix are; `None` if they are none.
pub fn parse(digits: &str, radix: u32) -> Option<Value> {
    if let Ok(int) = i64::from_str_radix(digits, radix) {
        return Some(Value::Int(int));
    }
    BigInt::parse_bytes(digits.as_bytes(), radix).map(of)
}

/// The big integer that a number is; panics for other values.
pub fn big(number: &Value) -> BigInt {
    match number {
        Value::Int(int) => BigInt::from(*int),
        Value::Big(big) => (**big).clone(),
        other => panic!("{other:?} is no number"),
    }
}

/// The number if it fits into 64 bits, else the end of these that is next to it.
pub(crate) fn clamped(number: &Value) -> i64 {
    match number {
        Value::Int(int) => *int,
        Value::Big(big) if big.sign() == Sign::Minus => i64::MIN,
        Value::Big(_) => i64::MAX,
        other => panic!("{other:?} is no number"),
    }
}

/// About how many numbers there are from the first to the second.
pub fn n_between(low: &Value, high: &Value) -> f64 {
    if let (Value::Int(low), Value::Int(high)) = (low, high) {
        return (*high as f64 - *low as f64 + 1.0).max(0.0);
    }
    let n: BigInt = big(high) - big(low) + 1;
    match i64::try_from(&n) {
        Ok(n) => (n as f64).max(0.0),
        Err(_) if n.sign() == Sign::Minus => 0.0,
        Err(_) => (n.bits() as f64).exp2(),
    }
}

/// The order of two big integers, or of one and a number that fits into 64 bits.
pub(super) fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Big(a), Value::Big(b)) => a.cmp(b),
        // What does not fit is below all that fits, or above.
        (Value::Big(a), _) if a.sign() == Sign::Minus => Ordering::Less,
        (Value::Big(_), _) => Ordering::Greater,
        (_, Value::Big(b)) if b.sign() == Sign::Minus => Ordering::Greater,
        (_, Value::Big(_)) => Ordering::Less,
        (a, b) => panic!("{a:?} and {b:?} are not big"),
    }
}

/// `a + b`.
pub fn add(a: &Value, b: &Value) -> Result<Value, ValueError> {
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && let Some(int) = a.checked_add(*b)
    {
        return Ok(Value::Int(int));
    }
    fitting(big(a) + big(b))
}

/// `a - b`.
pub(crate) fn subtract(a: &Value, b: &Value) -> Result<Value, ValueError> {
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && let Some(int) = a.checked_sub(*b)
    {
        return Ok(Value::Int(int));
    }
    fitting(big(a) - big(b))
}

/// `a * b`.
pub fn multiply(a: &Value, b: &Value) -> Result<Value, ValueError> {
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && let Some(int) = a.checked_mul(*b)
    {
        return Ok(Value::Int(int));
    }
    fitting(big(a) * big(b))
}

/// `-a`.
pub fn negate(a: &Value) -> Result<Value, ValueError> {
    subtract(&Value::Int(0), a)
}

/// `a / b`, rounded towards zero.
pub fn divide(a: &Value, b: &Value) -> Result<Value, ValueError> {
    if *b == Value::Int(0) {
        return Err(ValueError::DivisionByZero);
    }
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && let Some(int) = a.checked_div(*b)
    {
        return Ok(Value::Int(int));
    }
    fitting(big(a) / big(b))
}

/// `a mod b`, defined for `a >= 0` and `b > 0` only.
pub fn modulo(a: &Value, b: &Value) -> Result<Value, ValueError> {
    let zero = Value::Int(0);
    if *b == zero {
        return Err(ValueError::DivisionByZero);
    }
    if *a < zero || *b < zero {
        return Err(ValueError::Negative("mod"));
    }
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(Value::Int(a % b)),
        _ => fitting(big(a) % big(b)),
    }
}

/// `a ** b`, defined for `b >= 0` only; `0 ** 0` is 1.
pub fn power(a: &Value, b: &Value) -> Result<Value, ValueError> {
    if *b < Value::Int(0) {
        return Err(ValueError::Negative("the exponent of **"));
    }
    // Only these do not grow with the exponent.
    match a {
        _ if *b == Value::Int(0) => return Ok(Value::Int(1)),
        Value::Int(0 | 1) => return Ok(a.clone()),
        Value::Int(-1) => {
            let is_odd = match b {
                Value::Int(b) => b % 2 == 1,
                b => big(b).bit(0),
            };
            return Ok(Value::Int(if is_odd { -1 } else { 1 }));
        }
        _ => {}
    }
    let Value::Int(exponent) = *b else {
        return Err(ValueError::TooLarge);
    };
    let exponent = u32::try_from(exponent).map_err(|_| ValueError::TooLarge)?;
    if let Value::Int(a) = a
        && let Some(int) = a.checked_pow(exponent)
    {
        return Ok(Value::Int(int));
    }
    let base = big(a);
    // The power has at least this many bits, and is not made if these are too many.
    if (base.bits() - 1).saturating_mul(u64::from(exponent)) > BITS_MAX {
        return Err(ValueError::TooLarge);
    }
    fitting(base.pow(exponent))
}

fn fitting(big: BigInt) -> Result<Value, ValueError> {
    if big.bits() > BITS_MAX {
        Err(ValueError::TooLarge)
    } else {
        Ok(of(big))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: Value = Value::Int(i64::MAX);
    const MIN: Value = Value::Int(i64::MIN);

    fn int(int: i64) -> Value {
        Value::Int(int)
    }

    fn digits(text: &str) -> Value {
        parse(text, 10).expect("digits")
    }

    #[test]
    fn division_rounds_towards_zero_and_is_undefined_at_zero() {
        assert_eq!(divide(&int(-7), &int(2)), Ok(int(-3)));
        assert_eq!(divide(&int(7), &int(-2)), Ok(int(-3)));
        assert_eq!(divide(&int(1), &int(0)), Err(ValueError::DivisionByZero));
        assert_eq!(divide(&MIN, &int(-1)), Ok(digits("9223372036854775808")));
        let large = digits("-73786976294838206465");
        assert_eq!(divide(&large, &int(2)), Ok(digits("-36893488147419103232")));
        assert_eq!(divide(&large, &int(0)), Err(ValueError::DivisionByZero));
    }

    #[test]
    fn modulo_is_defined_for_natural_numbers_only() {
        assert_eq!(modulo(&int(7), &int(3)), Ok(int(1)));
        assert_eq!(modulo(&int(7), &int(0)), Err(ValueError::DivisionByZero));
        assert_eq!(modulo(&int(-7), &int(3)), Err(ValueError::Negative("mod")));
        assert_eq!(modulo(&int(7), &int(-3)), Err(ValueError::Negative("mod")));
        let large = digits("100000000000000000007");
        assert_eq!(modulo(&large, &int(10)), Ok(int(7)));
        assert_eq!(modulo(&int(7), &large), Ok(int(7)));
    }

    #[test]
    fn powers_that_do_not_fit_into_64_bits_are_big() {
        assert_eq!(power(&int(2), &int(10)), Ok(int(1024)));
        assert_eq!(power(&int(0), &int(0)), Ok(int(1)));
        assert_eq!(power(&int(0), &MAX), Ok(int(0)));
        assert_eq!(power(&int(-1), &MAX), Ok(int(-1)));
        assert_eq!(power(&int(2), &int(63)), Ok(digits("9223372036854775808")));
        assert_eq!(power(&int(-2), &int(63)), Ok(MIN));
        assert!(power(&int(2), &int(-1)).is_err());
    }

    #[test]
    fn powers_that_are_too_large_are_not_made() {
        assert_eq!(power(&int(2), &MAX), Err(ValueError::TooLarge));
        assert_eq!(power(&int(3), &int(1 << 20)), Err(ValueError::TooLarge));
        let exponent = digits("100000000000000000001");
        assert_eq!(power(&int(2), &exponent), Err(ValueError::TooLarge));
        assert_eq!(power(&int(-1), &exponent), Ok(int(-1)));
        let most = power(&int(2), &int(BITS_MAX as i64 - 1)).expect("it has few enough bits");
        assert_eq!(multiply(&most, &int(2)), Err(ValueError::TooLarge));
    }

    #[test]
    fn each_number_has_one_form() {
        let over = add(&MAX, &int(1)).expect("a number");
        assert!(matches!(over, Value::Big(_)));
        assert_eq!(subtract(&over, &int(1)), Ok(MAX));
        let under = subtract(&MIN, &int(1)).expect("a number");
        assert_eq!(add(&under, &int(1)), Ok(MIN));
        assert_eq!(negate(&MIN), Ok(over.clone()));
        assert_eq!(negate(&over), Ok(MIN));
        assert_eq!(multiply(&int(1 << 32), &int(1 << 31)), Ok(over));
    }

    #[test]
    fn numbers_are_ordered_whatever_their_form() {
        let under = digits("-9223372036854775809");
        let over = digits("9223372036854775808");
        let all = [
            digits("-99999999999999999999"),
            under,
            MIN,
            int(-1),
            int(5),
            MAX,
            over,
        ];
        assert!(all.is_sorted_by(|a, b| a < b), "{all:?}");
    }
}
