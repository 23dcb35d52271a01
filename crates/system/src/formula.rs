//! Formulas of linear temporal logic over numbered atoms.

/// A formula of linear temporal logic over the atoms of a property.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// An atom, by number.
    Atom(u32),
    /// `!f`
    Not(Box<Formula>),
    /// `f && g`
    And(Vec<Formula>),
    /// `f || g`
    Or(Vec<Formula>),
    /// `X f`
    Next(Box<Formula>),
    /// `[] f`
    Always(Box<Formula>),
    /// `<> f`
    Eventually(Box<Formula>),
    /// `f U g`
    Until(Box<Formula>, Box<Formula>),
    /// `f W g`
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `f V g`
    Release(Box<Formula>, Box<Formula>),
}
