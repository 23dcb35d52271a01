//! The plainest search of a machine there is: a table of states, and with symmetry a table of all
//! images of the states that were met.
//!
//! Whatever searches machines otherwise has to count what this counts. Symmetry is that of the
//! grounds ([`bmachine::alike::grounds`]); the images of a state are made by exchanging two members
//! at a time until nothing new comes.

use bmachine::alike;
use bmachine::eval::Trouble;
use bmachine::run::{ChosenSetups, Execution, Extent, Program, RunOptions, sizes};
use bmachine::typed::{Machine, OperationId, SortId};
use bmachine::value::{Member, Set, Value};
use model::values::Ground;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What a search counted and found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// States, those with constants alone among them, without a root.
    pub n_states: u64,
    /// Set-ups, initialisations, and what operations do: moves of one state with equal names,
    /// arguments and results into one state are one.
    pub n_transitions: u64,
    /// By kind: how many moves lead to the first that is wrong.
    pub wrong: Vec<(&'static str, u64)>,
    /// What could not be computed, as text.
    pub troubles: Vec<String>,
    /// Whether not all was tried or seen.
    pub is_cut: bool,
}

impl Counted {
    fn note(&mut self, kind: &'static str, n_moves: u64) {
        if self.wrong.iter().all(|(known, _)| *known != kind) {
            self.wrong.push((kind, n_moves));
        }
    }

    fn trouble(&mut self, kind: &'static str, trouble: &Trouble, n_moves: u64) {
        self.note(kind, n_moves);
        self.troubles.push(trouble.to_string());
    }
}

/// Whether states that symmetries make of each other are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symmetry {
    Used,
    Left,
}

/// How a machine is run.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// For given sets of which nothing else is said; 2 if it is not given.
    pub default_size: Option<usize>,
    /// For single given sets, by name.
    pub sizes: Vec<(String, usize)>,
}

/// The machine, ready to run as in ProB where nothing is said: numbers from -1 to 3.
pub fn program(machine: &Machine, setting: &Setting) -> Result<Program, String> {
    let asked = setting.sizes.iter().map(|(name, size)| {
        let sort = machine.sorts.iter().position(|sort| sort.name == *name);
        (SortId::new(sort.expect("a set of that name")), *size)
    });
    let asked: Vec<(SortId, usize)> = asked.collect();
    let words = |found: Vec<base::Diagnostic>| {
        let words: Vec<String> = found.into_iter().map(|d| d.message).collect();
        words.join("; ")
    };
    let sizes = sizes::sizes(machine, &asked, setting.default_size.unwrap_or(2)).map_err(words)?;
    let options = RunOptions {
        sizes,
        maxint: machine.settings.maxint.unwrap_or(3),
        minint: machine.settings.minint.unwrap_or(-1),
        work_max: 10_000_000,
        deadline: Default::default(),
    };
    Program::new(machine.clone(), &options).map_err(words)
}

/// The constants that states hold, and the variables if they are initialised.
type State = (Vec<Value>, Option<Vec<Value>>);

struct Search<'p> {
    program: &'p Program,
    exchanges: Vec<(Member, Member)>,
    known: HashMap<State, usize>,
    /// With the number of moves that lead there.
    queue: Vec<(State, u64)>,
    edges: HashSet<(usize, String, usize)>,
    counted: Counted,
}

/// Searches states by breadth; not all, if there are more than so many with their images.
pub fn search(program: &Program, symmetry: Symmetry, n_max: usize) -> Counted {
    let mut search = Search {
        program,
        exchanges: match symmetry {
            Symmetry::Used => exchanges(program),
            Symmetry::Left => Vec::new(),
        },
        known: HashMap::new(),
        queue: Vec::new(),
        edges: HashSet::new(),
        counted: Counted::default(),
    };
    search.start();
    let mut next = 0;
    while next < search.queue.len() {
        if search.known.len() > n_max {
            search.counted.is_cut = true;
            break;
        }
        search.expand(next);
        next += 1;
    }
    let mut counted = search.counted;
    counted.n_states = search.queue.len() as u64;
    counted.n_transitions += search.edges.len() as u64;
    counted
}

impl Search<'_> {
    fn start(&mut self) {
        let mut valuations = Vec::new();
        // As ProB counts: one of the valuations that differ in names only.
        let extent = self.program.setups(ChosenSetups::Named, &mut |constants| {
            valuations.push(constants.to_vec());
            ControlFlow::Continue(())
        });
        self.take("setup", extent, 1);
        if !self.program.has_setup() {
            return self.initialise(None, &[], 0);
        }
        if valuations.is_empty() {
            self.counted.note("setup", 0);
        }
        for constants in valuations {
            self.counted.n_transitions += 1;
            let stored = self.stored(&constants);
            self.meet((stored, None), 1);
        }
    }

    /// Those of the constants that states hold.
    fn stored(&self, constants: &[Value]) -> Vec<Value> {
        let stored = constants.iter().zip(self.program.is_stored());
        let stored = stored.filter(|(_, is_stored)| **is_stored);
        stored.map(|(value, _)| value.clone()).collect()
    }

    fn initialise(&mut self, from: Option<usize>, constants: &[Value], n_moves: u64) {
        let mut starts = Vec::new();
        let extent = self.program.initialisations(constants, &mut |globals| {
            starts.push(globals[constants.len()..].to_vec());
            ControlFlow::Continue(())
        });
        self.take("initialisation", extent, n_moves + 1);
        let stored = self.stored(constants);
        for variables in starts {
            let label = format!("{variables:?}");
            let to = self.meet((stored.clone(), Some(variables)), n_moves + 1);
            match from {
                Some(from) => drop(self.edges.insert((from, label, to))),
                None => self.counted.n_transitions += 1,
            }
        }
    }

    fn expand(&mut self, node: usize) {
        let ((stored, variables), n_moves) = self.queue[node].clone();
        let constants = match self.program.complete(&stored) {
            Ok(constants) => constants,
            Err(trouble) => return self.counted.trouble("constants", &trouble, n_moves),
        };
        let Some(variables) = variables else {
            return self.initialise(Some(node), &constants, n_moves);
        };
        let globals = [constants.clone(), variables].concat();
        self.look(&globals, n_moves);
        let mut has_moves = false;
        for number in 0..self.program.machine().operations.len() {
            let operation = &self.program.machine().operations[number];
            if !operation.is_public {
                continue;
            }
            let name = operation.name.clone();
            let mut moves = Vec::new();
            let operation = OperationId::new(number);
            let mut out = |event: Execution| {
                let label = format!(
                    "{name} {:?} {:?} {:?}",
                    event.arguments, event.choices, event.results
                );
                moves.push((label, event.globals[constants.len()..].to_vec()));
                ControlFlow::Continue(())
            };
            let extent = self.program.events(operation, &globals, &mut out);
            has_moves |= !extent.is_complete() || !moves.is_empty();
            self.take("operation", extent, n_moves + 1);
            for (label, variables) in moves {
                let to = self.meet((stored.clone(), Some(variables)), n_moves + 1);
                self.edges.insert((node, label, to));
            }
        }
        if !has_moves {
            self.counted.note("deadlock", n_moves);
        }
    }

    /// Looks whether a state is wrong in itself.
    fn look(&mut self, globals: &[Value], n_moves: u64) {
        let (program, counted) = (self.program, &mut self.counted);
        // What a refined machine has is not at hand here.
        if program.machine().n_abstract == 0 {
            program.invariant(globals, &mut |_, trouble| match trouble {
                None => counted.note("invariant", n_moves),
                Some(trouble) => counted.trouble("invariant", trouble, n_moves),
            });
        }
        program.assertions(globals, &mut |_, trouble| match trouble {
            None => counted.note("assertion", n_moves),
            Some(trouble) => counted.trouble("assertion", trouble, n_moves),
        });
        match program.goal(globals) {
            None | Some(Ok(false)) => {}
            Some(Ok(true)) => counted.note("goal", n_moves),
            Some(Err(trouble)) => counted.trouble("goal", &trouble, n_moves),
        }
    }

    fn take(&mut self, kind: &'static str, extent: Extent, n_moves: u64) {
        let texts = extent.cut.iter().map(Trouble::to_string);
        self.counted.troubles.extend(texts);
        self.counted.is_cut |= extent.cut.is_some();
        for wrong in &extent.wrong {
            self.counted.trouble(kind, &wrong.trouble, n_moves);
        }
    }

    /// The number of a state; a new one if neither it nor an image of it was met.
    fn meet(&mut self, state: State, n_moves: u64) -> usize {
        if let Some(&node) = self.known.get(&state) {
            return node;
        }
        let node = self.queue.len();
        self.queue.push((state.clone(), n_moves));
        self.known.insert(state.clone(), node);
        let mut images = vec![state];
        while let Some((constants, variables)) = images.pop() {
            for &(a, b) in &self.exchanges {
                let swap = |values: &Vec<Value>| -> Vec<Value> {
                    values.iter().map(|value| swapped(value, a, b)).collect()
                };
                let image = (swap(&constants), variables.as_ref().map(swap));
                if self.known.insert(image.clone(), node).is_none() {
                    images.push(image);
                }
            }
        }
        node
    }
}

/// Pairs of members whose exchanges make all symmetries.
pub fn exchanges(program: &Program) -> Vec<(Member, Member)> {
    let mut pairs = Vec::new();
    let grounds = alike::grounds(program.machine());
    for (number, ground) in grounds.iter().enumerate() {
        let n_members = program.signature().sorts[number].members.len();
        let blocks = match ground {
            Ground::Unnamed => vec![(0..n_members).collect()],
            Ground::Exchanged(blocks) => blocks.clone(),
            Ground::Apart(_) => Vec::new(),
        };
        let member = |index: usize| Member {
            sort: SortId::new(number),
            index: index as u32,
        };
        for block in blocks {
            let block: Vec<usize> = block;
            pairs.extend(block.windows(2).map(|two| (member(two[0]), member(two[1]))));
        }
    }
    pairs
}

/// The value with two members exchanged.
pub fn swapped(value: &Value, a: Member, b: Member) -> Value {
    let swap = |value: &Value| swapped(value, a, b);
    match value {
        Value::Member(member) if *member == a => Value::Member(b),
        Value::Member(member) if *member == b => Value::Member(a),
        Value::Pair(pair) => Value::Pair(Arc::new((swap(&pair.0), swap(&pair.1)))),
        Value::Set(set) => {
            let elements: Vec<Value> = set.iter().map(|element| swap(&element)).collect();
            Value::Set(Set::from_vec(elements))
        }
        Value::Record(fields) => Value::Record(fields.iter().map(swap).collect()),
        Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Text(_) | Value::Member(_) => {
            value.clone()
        }
        Value::Symbolic(_) => panic!("states hold explicit values only"),
    }
}
