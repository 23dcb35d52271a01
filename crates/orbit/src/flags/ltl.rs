//! What was typed after `orbit ltl`.

use clap::{Args, ValueEnum};

/// What was typed after `orbit ltl`.
#[derive(Args, Debug)]
pub struct LtlFlags {
    /// The formula, such as '[] (p -> <> q)'; `-` reads it from standard input
    #[arg(value_name = "FORMULA", allow_hyphen_values = true)]
    pub formula: String,

    /// Take the negation of the formula: the runs that violate it, as a never claim needs them
    #[arg(long)]
    pub negate: bool,

    /// How the automaton is shown
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = AutomatonFormat::Text)]
    pub format: AutomatonFormat,
}

/// How an automaton is shown.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AutomatonFormat {
    /// For people, with what is known of the formula
    Text,
    /// The Hanoi omega-automata format, version 1
    Hoa,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
    /// A never claim of Promela
    Never,
}

/// Examples that end the help of `orbit ltl`.
pub const EXAMPLES: &str = "\
Formulas say what holds along a run, now and later:
  [] p       always p          also G, always             <> p   some time p       F, eventually
  X p        p at the next moment      next               p U q  q some time, p until then    until
  p W q      the same, or p for ever   weakuntil          p V q  q until p releases it    R, release
  ! && || -> <->                       not and or implies equivalent

Examples:
  orbit ltl '[] (request -> <> granted)'       every request is granted some time
  orbit ltl '[] !(a && b)'                     never both: a safety property
  orbit ltl '<> [] p' --negate                 the runs that violate it
  orbit ltl '[] <> p' --format never           a never claim for SPIN
  orbit ltl 'p U (x == 1)' --format hoa        for other tools; (x == 1) is one atom
  orbit ltl '[] (p -> X q)' --json             for a program

A word is an atom. So is text in double quotes, and text in parentheses with a sign in it that
temporal logic does not know, such as (x == 1). The never claim of a property is the automaton of
its negation.

Exit codes:
  0 answered    2 wrong input    3 the formula is too large";
