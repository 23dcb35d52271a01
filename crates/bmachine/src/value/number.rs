//! Arithmetic of B on 64 bits: what does not fit, or has no value, is an error and never wraps.

use super::ValueError;

/// `a + b`.
pub fn add(a: i64, b: i64) -> Result<i64, ValueError> {
    a.checked_add(b).ok_or(ValueError::Overflow)
}

/// `a - b`.
pub fn subtract(a: i64, b: i64) -> Result<i64, ValueError> {
    a.checked_sub(b).ok_or(ValueError::Overflow)
}

/// `a * b`.
pub fn multiply(a: i64, b: i64) -> Result<i64, ValueError> {
    a.checked_mul(b).ok_or(ValueError::Overflow)
}

/// `-a`.
pub fn negate(a: i64) -> Result<i64, ValueError> {
    a.checked_neg().ok_or(ValueError::Overflow)
}

/// `a / b`, rounded towards zero.
pub fn divide(a: i64, b: i64) -> Result<i64, ValueError> {
    if b == 0 {
        return Err(ValueError::DivisionByZero);
    }
    a.checked_div(b).ok_or(ValueError::Overflow)
}

/// `a mod b`, defined for `a >= 0` and `b > 0` only.
pub fn modulo(a: i64, b: i64) -> Result<i64, ValueError> {
    if b == 0 {
        return Err(ValueError::DivisionByZero);
    }
    if a < 0 || b < 0 {
        return Err(ValueError::Negative("mod"));
    }
    Ok(a % b)
}

/// `a ** b`, defined for `b >= 0` only; `0 ** 0` is 1.
pub fn power(a: i64, b: i64) -> Result<i64, ValueError> {
    if b < 0 {
        return Err(ValueError::Negative("the exponent of **"));
    }
    // Only these do not leave 64 bits for great exponents.
    match a {
        0 | 1 => Ok(if b == 0 { 1 } else { a }),
        -1 => Ok(if b % 2 == 0 { 1 } else { -1 }),
        _ => {
            let exponent = u32::try_from(b).map_err(|_| ValueError::Overflow)?;
            a.checked_pow(exponent).ok_or(ValueError::Overflow)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_towards_zero_and_is_undefined_at_zero() {
        assert_eq!(divide(-7, 2), Ok(-3));
        assert_eq!(divide(7, -2), Ok(-3));
        assert_eq!(divide(1, 0), Err(ValueError::DivisionByZero));
        assert_eq!(divide(i64::MIN, -1), Err(ValueError::Overflow));
    }

    #[test]
    fn modulo_is_defined_for_natural_numbers_only() {
        assert_eq!(modulo(7, 3), Ok(1));
        assert_eq!(modulo(7, 0), Err(ValueError::DivisionByZero));
        assert_eq!(modulo(-7, 3), Err(ValueError::Negative("mod")));
        assert_eq!(modulo(7, -3), Err(ValueError::Negative("mod")));
    }

    #[test]
    fn powers_that_do_not_fit_are_errors_and_never_wrap() {
        assert_eq!(power(2, 10), Ok(1024));
        assert_eq!(power(0, 0), Ok(1));
        assert_eq!(power(0, i64::MAX), Ok(0));
        assert_eq!(power(-1, i64::MAX), Ok(-1));
        assert_eq!(power(2, 63), Err(ValueError::Overflow));
        assert_eq!(power(-2, 63), Ok(i64::MIN));
        assert_eq!(power(2, i64::MAX), Err(ValueError::Overflow));
        assert!(power(2, -1).is_err());
    }

    #[test]
    fn sums_and_products_that_do_not_fit_are_errors() {
        assert_eq!(add(i64::MAX, 1), Err(ValueError::Overflow));
        assert_eq!(subtract(i64::MIN, 1), Err(ValueError::Overflow));
        assert_eq!(multiply(i64::MAX, 2), Err(ValueError::Overflow));
        assert_eq!(negate(i64::MIN), Err(ValueError::Overflow));
        assert_eq!((add(2, 3), subtract(2, 3)), (Ok(5), Ok(-1)));
        assert_eq!((multiply(2, 3), negate(3)), (Ok(6), Ok(-3)));
    }
}
