//! What relates the states of a refinement to those of its machine.
//!
//! The two machines number their sets, constants and variables differently; names are what they
//! have in common. Members of sets are renumbered where they go from one machine to the other.
//!
//! Worked example: the refinement has the sets `KEY, ROOM` and the machine `ROOM`. `ROOM2` is
//! `(sort 1, member 1)` for the one and `(sort 0, member 1)` for the other.
//!
//! Of a chain of refinements two neighbours are compared. Conjuncts about variables that only a
//! machine further up has say nothing about these two and are left out.

use crate::eval::Trouble;
use crate::live::Live;
use crate::run::given::{CallOutcome, PreconditionReading};
use crate::run::{Execution, Program, has_symbolic};
use crate::typed::{Machine, OperationId, SortId};
use crate::value::{Member, Set, Value};
use base::{Diagnostic, quote};
use std::ops::ControlFlow;

/// The machine that is refined, and what relates the two.
pub struct Glue {
    abstraction: Live,
    reading: PreconditionReading,
    to_abstract: SortRenaming,
    to_concrete: SortRenaming,
    /// By constant of the abstraction that its states hold: which of the refinement.
    constants: Vec<usize>,
    /// Variables that are equal: of the refinement, of the abstraction.
    shared: Vec<(usize, usize)>,
    /// By global of the refinement that only machines above have: which variable of the
    /// abstraction it is.
    above: Vec<Option<usize>>,
    /// The conjuncts of the gluing invariant that are about the two.
    conjuncts: Vec<usize>,
    /// By operation of the refinement: that of the abstraction.
    operations: Vec<Option<OperationId>>,
}

/// New numbers for sets; `None` if they are the old ones.
struct SortRenaming(Option<Vec<Option<SortId>>>);

impl SortRenaming {
    /// From the sets of one machine to those of the same names of another.
    fn new(from: &Machine, to: &Machine) -> SortRenaming {
        let number = |name: &str| to.sorts.iter().position(|sort| sort.name == name);
        let numbers: Vec<Option<usize>> = from.sorts.iter().map(|s| number(&s.name)).collect();
        let is_same = numbers.iter().enumerate().all(|(n, to)| *to == Some(n));
        let numbers = numbers.into_iter().map(|n| n.map(SortId::new)).collect();
        SortRenaming((!is_same).then_some(numbers))
    }

    /// The value with new numbers; `None` if there is no such value.
    fn apply(&self, value: &Value) -> Option<Value> {
        match &self.0 {
            None => Some(value.clone()),
            Some(numbers) => renamed(value, numbers),
        }
    }

    fn apply_all(&self, values: &[Value]) -> Option<Vec<Value>> {
        values.iter().map(|value| self.apply(value)).collect()
    }
}

fn renamed(value: &Value, numbers: &[Option<SortId>]) -> Option<Value> {
    Some(match value {
        Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Text(_) => value.clone(),
        Value::Member(member) => Value::Member(Member {
            sort: numbers[member.sort.index()]?,
            ..*member
        }),
        Value::Pair(pair) => Value::pair(renamed(&pair.0, numbers)?, renamed(&pair.1, numbers)?),
        Value::Set(set) => {
            let elements: Option<Vec<Value>> = set.iter().map(|e| renamed(&e, numbers)).collect();
            Value::Set(Set::from_vec(elements?))
        }
        Value::Record(fields) => {
            let fields: Option<Vec<Value>> = fields.iter().map(|f| renamed(f, numbers)).collect();
            Value::record(fields?)
        }
        Value::Symbolic(_) => return None,
    })
}

/// What the abstraction can do to match.
pub enum AbstractMatch {
    /// It may do anything.
    Anything,
    /// The states it may go to: constants and variables.
    States(Vec<Vec<Value>>),
    /// Not all of them could be computed.
    Trouble(Trouble),
    /// Arguments or results are sets that are not listed, so that nobody can compare them.
    Incomparable,
}

impl Glue {
    /// What relates a refinement to the machine it refines.
    pub fn new(concrete: &Live, reading: PreconditionReading) -> Result<Glue, Vec<Diagnostic>> {
        let program = concrete.program();
        let machine = program.machine();
        let Some(refined) = machine.refines.as_deref() else {
            let message = format!("{} refines nothing", quote(&machine.name));
            return Err(vec![Diagnostic::unlocated(message)]);
        };
        let operations = operations(machine, refined, reading)?;
        let abstraction = Program::new(refined.clone(), &program.options_beside(refined))?;
        let n_states = |machine: &Machine| machine.globals.len() - machine.n_abstract;
        let of = |machine: &Machine, range: std::ops::Range<usize>, name: &str| {
            let found = machine.globals[range.clone()]
                .iter()
                .position(|g| g.name == name);
            found.map(|at| range.start + at)
        };
        let variables = refined.n_constants..n_states(refined);
        let shared = variables.clone().filter_map(|at| {
            let own = machine.n_constants..n_states(machine);
            Some((of(machine, own, &refined.globals[at].name)?, at))
        });
        let above = machine.globals[n_states(machine)..].iter();
        let above: Vec<Option<usize>> = above
            .map(|global| of(refined, variables.clone(), &global.name))
            .collect();
        let is_known =
            |at: usize| at < n_states(machine) || above[at - n_states(machine)].is_some();
        let conjuncts = program.glued().into_iter().enumerate();
        let conjuncts = conjuncts.filter(|(_, globals)| globals.iter().all(|at| is_known(*at)));
        let mut constants = Vec::new();
        for (at, constant) in refined.globals[..refined.n_constants].iter().enumerate() {
            let own = of(machine, 0..machine.n_constants, &constant.name);
            match own {
                _ if !abstraction.is_stored()[at] => {}
                Some(own) => constants.push(own),
                None => {
                    let name = quote(&constant.name);
                    let message = format!("the refinement does not know the constant {name}");
                    return Err(vec![Diagnostic::error(constant.span, message)]);
                }
            }
        }
        Ok(Glue {
            reading,
            to_abstract: SortRenaming::new(machine, refined),
            to_concrete: SortRenaming::new(refined, machine),
            constants,
            shared: shared.collect(),
            conjuncts: conjuncts.map(|(conjunct, _)| conjunct).collect(),
            above,
            operations,
            abstraction: Live::new(abstraction, concrete.sources()),
        })
    }

    /// The machine that is refined.
    pub(crate) fn abstraction(&self) -> &Live {
        &self.abstraction
    }

    /// How preconditions are read.
    pub fn reading(&self) -> PreconditionReading {
        self.reading
    }

    /// The operation of the abstraction that one of the refinement refines.
    pub fn refined(&self, operation: usize) -> Option<OperationId> {
        self.operations[operation]
    }

    /// The initial states of the abstraction, beside one of the refinement.
    pub fn initial(&self, concrete: &[Value]) -> AbstractMatch {
        let constants: Option<Vec<Value>> = self
            .constants
            .iter()
            .map(|own| self.to_abstract.apply(&concrete[*own]))
            .collect();
        let Some(constants) = constants else {
            return AbstractMatch::Incomparable;
        };
        let program = self.abstraction.program();
        let constants = match program.complete(&constants) {
            Ok(constants) => constants,
            Err(trouble) => return AbstractMatch::Trouble(trouble),
        };
        let mut states = Vec::new();
        let extent = program.initialisations(&constants, &mut |globals| {
            states.push(globals.to_vec());
            ControlFlow::Continue(())
        });
        match extent.sound().map(|extent| extent.cut) {
            Ok(None) => AbstractMatch::States(states),
            Ok(Some(trouble)) | Err(trouble) => AbstractMatch::Trouble(trouble),
        }
    }

    /// What the abstraction can do where the refinement takes an operation with these arguments and
    /// results.
    pub fn matching(
        &self,
        operation: OperationId,
        arguments: &[Value],
        results: &[Value],
        state: &[Value],
    ) -> AbstractMatch {
        if arguments.iter().chain(results).any(has_symbolic) {
            return AbstractMatch::Incomparable;
        }
        let arguments = self.to_abstract.apply_all(arguments);
        let results = self.to_abstract.apply_all(results);
        let (Some(arguments), Some(results)) = (arguments, results) else {
            return AbstractMatch::Incomparable;
        };
        let (mut states, mut is_comparable) = (Vec::new(), true);
        let given = self.abstraction.program().events_given(
            operation,
            &arguments,
            state,
            self.reading,
            &mut |event: Execution| {
                is_comparable &= !event.results.iter().any(has_symbolic);
                if event.results == results {
                    states.push(event.globals.to_vec());
                }
                ControlFlow::Continue(())
            },
        );
        match given {
            Ok(CallOutcome::Anything) => AbstractMatch::Anything,
            Ok(CallOutcome::Outcomes(_)) if !is_comparable => AbstractMatch::Incomparable,
            Ok(CallOutcome::Outcomes(extent)) => match extent.cut {
                None => AbstractMatch::States(states),
                Some(trouble) => AbstractMatch::Trouble(trouble),
            },
            Err(trouble) => AbstractMatch::Trouble(trouble),
        }
    }

    /// A call that the abstraction allows and the refinement does not, in a pair of states; or what
    /// stands in the way of finding one.
    pub fn forbidden(
        &self,
        concrete: &Live,
        operation: OperationId,
        own: &[Value],
        state: &[Value],
    ) -> Result<Option<Vec<Value>>, Trouble> {
        let Some(refined) = self.operations[operation.index()] else {
            return Ok(None);
        };
        let abstraction = self.abstraction.program();
        let mut found: Result<Option<Vec<Value>>, Trouble> = Ok(None);
        let go_on = &mut |_: Execution| ControlFlow::Continue(());
        let extent = abstraction.calls(refined, state, &mut |arguments| {
            let reading = PreconditionReading::Classical;
            let allowed = abstraction.events_given(refined, arguments, state, reading, go_on);
            let own_arguments = match allowed {
                Ok(CallOutcome::Anything) => return ControlFlow::Continue(()),
                Ok(CallOutcome::Outcomes(_)) => self.to_concrete.apply_all(arguments),
                Err(trouble) => {
                    found = Err(trouble);
                    return ControlFlow::Break(());
                }
            };
            let Some(own_arguments) = own_arguments else {
                return ControlFlow::Continue(());
            };
            let program = concrete.program();
            match program.events_given(operation, &own_arguments, own, reading, go_on) {
                Ok(CallOutcome::Outcomes(_)) => return ControlFlow::Continue(()),
                Ok(CallOutcome::Anything) => found = Ok(Some(own_arguments)),
                Err(trouble) => found = Err(trouble),
            }
            ControlFlow::Break(())
        })?;
        match (&found, extent.cut) {
            (Ok(None), Some(trouble)) => Err(trouble),
            _ => found,
        }
    }

    /// Whether two states are related.
    pub(crate) fn relates(&self, program: &Program, own: &[Value], state: &[Value]) -> Related {
        let mut globals = own.to_vec();
        for (at, variable) in &self.shared {
            match self.to_concrete.apply(&state[*variable]) {
                Some(value) if value == own[*at] => {}
                _ => return Ok(false),
            }
        }
        for variable in &self.above {
            // What no conjunct speaks of can have any value.
            let value = variable.map_or(Some(Value::Bool(false)), |variable| {
                self.to_concrete.apply(&state[variable])
            });
            match value {
                Some(value) => globals.push(value),
                None => return Ok(false),
            }
        }
        program.is_glued(&self.conjuncts, &globals)
    }
}

/// Whether two states are related, or why that cannot be computed.
pub type Related = Result<bool, Trouble>;

/// By operation of a refinement: that of its machine. The two must have the same shape.
fn operations(
    machine: &Machine,
    refined: &Machine,
    reading: PreconditionReading,
) -> Result<Vec<Option<OperationId>>, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let mut operations = Vec::new();
    for own in &machine.operations {
        let mut others = refined.operations.iter().enumerate();
        let other = others.find(|(_, other)| other.is_public && other.name == own.name);
        let Some((at, other)) = other.filter(|_| own.is_public) else {
            operations.push(None);
            continue;
        };
        operations.push(Some(OperationId::new(at)));
        let shape = |operation: &crate::typed::Operation| {
            (operation.parameters.len(), operation.results.len())
        };
        if shape(own) != shape(other) {
            let (parameters, results) = shape(other);
            let message = format!(
                "{} has {parameters} parameters and {results} results in {}",
                quote(&own.name),
                quote(&refined.name)
            );
            found.push(Diagnostic::error(own.span, message).and(other.span, "there"));
        }
    }
    if reading == PreconditionReading::Classical {
        let missing = refined.operations.iter().filter(|other| {
            let mut own = machine.operations.iter();
            let is_there = own.any(|own| own.is_public && own.name == other.name);
            other.is_public && !other.is_seen && !is_there
        });
        found.extend(missing.map(|other| {
            let message = format!(
                "{} does not have the operation {} of {}",
                quote(&machine.name),
                quote(&other.name),
                quote(&refined.name)
            );
            let note = "where preconditions are read as guards, it counts as never taken";
            Diagnostic::error(other.span, message).note(note)
        }));
    }
    if found.is_empty() {
        Ok(operations)
    } else {
        Err(found)
    }
}
