//! What was counted and measured.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// What a search counted. For an assertion about processes of CSP, states are the stored pairs of a
/// state of the specification and one of the process.
#[derive(Clone, Default, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Counts {
    /// States that were stored, one of each orbit.
    pub states: u64,
    /// Transitions between them, as many as there are ways to take them.
    pub transitions: u64,
    /// Moves to the state that is farthest from the start.
    pub depth: u64,
    /// How many errors were seen, each time counted.
    pub errors: u64,
    /// How many states there are without symmetry, where that was asked for or costs nothing.
    pub full_states: Option<Number>,
    /// Why that is not known, if it was asked for.
    pub full_states_reason: Option<String>,
    /// In how many orbits the states are, where an orbit may have several and `--count-full` asked.
    pub orbits: Option<u64>,
    /// Under how many partitions of processes into equals representatives were chosen, if that is
    /// the way of the strategy.
    pub partitions: Option<u64>,
    /// What choosing representatives took, where the way of choosing counts something.
    pub choices: Option<Choices>,
    /// What is counted without hidden variables, as SPIN does.
    pub visible: Option<Visible>,
    /// The same as `states`.
    pub stored_states: u64,
    /// The same as `transitions`.
    pub stored_transitions: u64,
    /// Pairs of states that were met, if a refinement was checked.
    pub pairs: Option<u64>,
    /// States of the normal form that a process is compared with; 1 where it is compared with
    /// nothing.
    pub normal_states: Option<u64>,
}

/// What choosing representatives took; null what the way of choosing does not have. With several
/// threads the numbers may differ from run to run, for each thread remembers answers of its own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Choices {
    /// Canonical images, or labels, that were computed.
    pub labels: Option<u64>,
    /// Complete arrangements that were compared on the way to these: leaves of search trees.
    pub leaves: Option<u64>,
    /// States whose columns were sorted instead.
    pub sorted: Option<u64>,
    /// States whose answer was still remembered.
    pub remembered: Option<u64>,
    /// States whose marker had been met before.
    pub marker_hits: Option<u64>,
    /// Permutations of the group that were tried on states.
    pub permutations: Option<u64>,
}

/// Counts without hidden variables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Visible {
    /// States that differ in something else.
    pub states: u64,
    /// Transitions between them.
    pub transitions: u64,
}

/// A number where it fits into 64 bits, else its digits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum Number {
    /// It fits.
    Small(u64),
    /// It does not.
    Large(String),
}

impl Number {
    /// The number with these digits.
    pub fn of(digits: &str) -> Number {
        let small = digits.parse().map(Number::Small);
        small.unwrap_or_else(|_| Number::Large(digits.to_owned()))
    }

    /// Both together; nothing if that exceeds 128 bits.
    pub fn plus(&self, other: &Number) -> Option<Number> {
        let value = |number: &Number| match number {
            Number::Small(n) => Some(u128::from(*n)),
            Number::Large(digits) => digits.parse().ok(),
        };
        let sum = value(self)?.checked_add(value(other)?)?;
        Some(Number::of(&sum.to_string()))
    }
}

/// How long it took, in seconds. What nobody measured is null.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Times {
    /// Everything.
    pub total: f64,
    /// To read and compile the model.
    pub load: f64,
    /// To find its symmetry.
    pub detect: Option<f64>,
    /// To search.
    pub search: f64,
    /// The part of that which went into representatives, estimated from samples.
    pub reduce: Option<f64>,
    /// The part that went into looking states up and storing them, likewise.
    pub store: Option<f64>,
    /// The part that went into loading states and generating successors, likewise.
    pub successors: Option<f64>,
}

/// What states took.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Memory {
    /// The most memory that states, and what goes with them, took at any time.
    pub peak_bytes: u64,
    /// What a stored state took at the end.
    pub bytes_per_state: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn numbers_are_digits_where_they_do_not_fit() {
        let most = Number::Small(u64::MAX);
        let over = Number::Large("18446744073709551616".to_owned());
        assert_eq!(Number::of("18446744073709551615"), most);
        assert_eq!(most.plus(&Number::Small(1)), Some(over.clone()));
        assert_eq!(over, Number::of("18446744073709551616"));
        let huge = Number::Large("9".repeat(50));
        assert_eq!(huge.plus(&most), None);
    }
}

/// What became of compiling the steps of processes to machine code, for the search of states.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Native {
    /// How many steps were compiled; 0 if none could be.
    pub steps: u64,
    /// Whether every move was made by the interpreter too, and compared.
    pub compared: bool,
    /// How long compiling took, in seconds.
    pub time_s: f64,
    /// Why nothing was compiled.
    pub reason: Option<String>,
}
