//! Solving predicates against trying all values, on random predicates; and symbolic sets against
//! their lists.

use crate::run::machine;
use bmachine::eval::code::Pr;
use bmachine::eval::compile::{Compiler, whole};
use bmachine::eval::list::GO_ON;
use bmachine::eval::relations::Demands;
use bmachine::eval::{Context, Fault, World};
use bmachine::run::execute::guard;
use bmachine::solve::{self, ConstraintProblem, PlanStep};
use bmachine::typed::{Binary, Machine, SortId, Type};
use bmachine::value::{Set, Symbolic, Value};
use fastrand::Rng;
use std::collections::HashSet;
use std::sync::Arc;

/// Writes random predicates over some of the unknowns `i j m s f b`.
struct Writer {
    rng: Rng,
    /// Which unknowns there are.
    names: Vec<&'static str>,
    /// Variables that are bound where we are, all of them members of `S`.
    bound: Vec<String>,
    n_bound: usize,
}

impl Writer {
    fn has(&self, name: &str) -> bool {
        self.names.contains(&name)
    }

    fn pick(&mut self, all: Vec<String>) -> String {
        all[self.rng.usize(..all.len())].clone()
    }

    fn int(&mut self, depth: usize) -> String {
        let mut all = vec![self.rng.i64(-1..4).to_string()];
        for name in ["i", "j", "i", "j"] {
            if self.has(name) {
                all.push(name.to_owned());
            }
        }
        if depth > 0 {
            let (a, b) = (self.int(depth - 1), self.int(depth - 1));
            all.push(format!("({a} + {b})"));
            all.push(format!("({a} - {b})"));
            all.push(format!("({a} * {b})"));
            all.push(format!("card({})", self.set(depth - 1)));
            if self.has("f") {
                all.push(format!("f({})", self.member()));
                all.push("max(ran(f))".to_owned());
            }
        }
        self.pick(all)
    }

    fn member(&mut self) -> String {
        let mut all = vec!["e1".to_owned(), "e2".to_owned()];
        all.extend(self.bound.iter().cloned());
        if self.has("m") {
            all.extend(["m".to_owned(), "m".to_owned()]);
        }
        self.pick(all)
    }

    fn set(&mut self, depth: usize) -> String {
        let mut all = vec![format!("{{{}}}", self.member()), "S".to_owned()];
        if self.has("s") {
            all.extend(["s".to_owned(), "s".to_owned()]);
        }
        if self.has("f") {
            all.push("dom(f)".to_owned());
        }
        if depth > 0 {
            let (a, b) = (self.set(depth - 1), self.set(depth - 1));
            for op in ["\\/", "/\\", "-"] {
                all.push(format!("({a} {op} {b})"));
            }
            let inner = self.bind(|w, y| format!("{{{y} | {y} : S & {}}}", w.pred(depth - 1)));
            all.push(inner);
            if self.has("f") {
                all.push(format!("f~[{}]", self.numbers(depth - 1)));
            }
        }
        self.pick(all)
    }

    fn numbers(&mut self, depth: usize) -> String {
        let (a, b) = (self.int(depth), self.int(depth));
        let mut all = vec![format!("({a} .. {b})"), format!("{{{a}, {b}}}")];
        if self.has("f") {
            all.push("ran(f)".to_owned());
        }
        self.pick(all)
    }

    fn bind(&mut self, write: impl FnOnce(&mut Writer, &str) -> String) -> String {
        self.n_bound += 1;
        let name = format!("y{}", self.n_bound);
        self.bound.push(name.clone());
        let text = write(self, &name);
        self.bound.pop();
        text
    }

    fn atom(&mut self, depth: usize) -> String {
        let (a, b) = (self.int(depth), self.int(depth));
        let (s, t) = (self.set(depth), self.set(depth));
        let (m, k) = (self.member(), self.member());
        let op = ["=", "/=", "<", "<=", ">", ">="][self.rng.usize(..6)];
        let mut all = vec![
            format!("{a} {op} {b}"),
            format!("{a} : {}", self.numbers(depth)),
            format!("{m} : {s}"),
            format!("{m} /: {s}"),
            format!("{m} = {k}"),
            format!("{m} /= {k}"),
            format!("{s} <: {t}"),
            format!("{s} = {t}"),
            format!("{s} <<: {t}"),
            format!("{s} /\\ {t} = {{}}"),
        ];
        if self.has("b") {
            all.push(format!("b = bool({a} < {b})"));
            all.push("b = TRUE".to_owned());
        }
        if self.has("f") {
            let arrow = ["+->", "-->", ">->", "-->>", "<->"][self.rng.usize(..5)];
            all.push(format!("{m} |-> {a} : f"));
            all.push(format!("f({m}) = {a}"));
            all.push(format!("f : {s} {arrow} 0..1"));
            all.push(format!("dom(f) = {s}"));
        }
        self.pick(all)
    }

    fn pred(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.u8(..3) == 0 {
            return self.atom(depth);
        }
        let (p, q) = (self.pred(depth - 1), self.pred(depth - 1));
        match self.rng.u8(..7) {
            0 => format!("({p} & {q})"),
            1 => format!("({p} or {q})"),
            2 => format!("not({p})"),
            3 => format!("({p} => {q})"),
            4 => format!("({p} <=> {q})"),
            5 => self.bind(|w, y| format!("#{y}.({y} : S & {})", w.pred(depth - 1))),
            _ => self.bind(|w, y| format!("!{y}.({y} : S => {})", w.pred(depth - 1))),
        }
    }
}

/// A machine with random properties of its constants.
fn random(seed: u64) -> (String, Machine) {
    let mut rng = Rng::with_seed(seed);
    let mut names = vec!["i", "j", "m", "s", "f", "b"];
    rng.shuffle(&mut names);
    names.truncate(rng.usize(1..4));
    let mut writer = Writer {
        rng,
        names,
        bound: Vec::new(),
        n_bound: 0,
    };
    let mut conjuncts: Vec<String> = (0..writer.rng.usize(1..4))
        .map(|_| writer.pred(2))
        .collect();
    for name in writer.names.clone() {
        let typing = match name {
            "i" | "j" => format!("{name} : -1..3"),
            "m" => "m : S".to_owned(),
            "s" => "s <: S".to_owned(),
            "f" => "f : S <-> 0..1".to_owned(),
            _ => "b : BOOL".to_owned(),
        };
        let at = writer.rng.usize(..=conjuncts.len());
        conjuncts.insert(at, typing);
    }
    let text = format!(
        "MACHINE r SETS S = {{e1, e2, e3}} CONSTANTS {} PROPERTIES {} END",
        writer.names.join(", "),
        conjuncts.join(" & ")
    );
    let machine = machine(&text);
    (text, machine)
}

fn world() -> World {
    let members = (0..3).map(|index| Value::member(SortId::new(0), index));
    World {
        carriers: vec![Value::Set(members.collect())],
        maxint: 3,
        minint: -1,
        deadline: Default::default(),
    }
}

/// All values of a type that typing admits.
fn values(ty: &Type, world: &World) -> Vec<Value> {
    let mut context = Context::new(world, Vec::new(), 0);
    let span = base::Span::new(base::SourceId::new(0), 0..0);
    match ty {
        Type::Int => (-1..=3).map(Value::Int).collect(),
        Type::Set(of) => match &**of {
            Type::Pair(from, _) => {
                let from = context.list(&whole(from, world), span).expect("finite");
                let pairs = from.product(&Set::interval(0, 1));
                pairs.pow().map(Value::Set).collect()
            }
            _ => {
                let of = context.list(&whole(of, world), span).expect("finite");
                of.pow().map(Value::Set).collect()
            }
        },
        ty => {
            let all = context.list(&whole(ty, world), span).expect("finite");
            all.iter().collect()
        }
    }
}

/// What trying all values finds, and whether nothing was undefined.
fn try_all(machine: &Machine, world: &World, conjuncts: &[Pr]) -> (HashSet<Vec<Value>>, bool) {
    let first = machine.locals.len();
    let mut context = Context::new(world, Vec::new(), first + machine.globals.len());
    let ranges: Vec<Vec<Value>> = machine
        .globals
        .iter()
        .map(|g| values(&g.ty, world))
        .collect();
    let mut found = HashSet::new();
    let mut is_defined = true;
    let n: usize = ranges.iter().map(Vec::len).product();
    for mut number in 0..n {
        let mut chosen = Vec::new();
        for range in &ranges {
            chosen.push(range[number % range.len()].clone());
            number /= range.len();
        }
        for (at, value) in chosen.iter().enumerate() {
            context.frame[first + at] = Some(value.clone());
        }
        is_defined &= context.all_hold(conjuncts).is_ok();
        if guard(&mut context, conjuncts).expect("guards are true or false") {
            found.insert(chosen);
        }
    }
    (found, is_defined)
}

/// What solving finds.
fn solve(
    machine: &Machine,
    world: &World,
    problem: &ConstraintProblem,
    is_lenient: bool,
) -> Result<Vec<Vec<Value>>, Fault> {
    let n_slots = machine.locals.len() + machine.globals.len();
    let mut context = Context::new(world, Vec::new(), n_slots);
    context.is_lenient = is_lenient;
    let mut found = Vec::new();
    let _ = solve::each(&mut context, problem, &mut |context| {
        let slots = problem.unknowns.iter().map(|u| u.slot);
        found.push(
            slots
                .filter_map(|slot| context.frame[slot].clone())
                .collect(),
        );
        Ok(GO_ON)
    })?;
    assert!(context.cut.is_none(), "all numbers are bounded");
    Ok(found)
}

fn problem(machine: &Machine, world: &World) -> ConstraintProblem {
    let mut compiler = Compiler::new(machine, world);
    compiler.seek(0..machine.globals.len());
    let conjuncts = compiler.conjuncts(&machine.properties, true);
    let unknowns = (0..machine.globals.len()).map(|c| compiler.unknown_global(c));
    let span = machine.initialisation.span;
    ConstraintProblem::new(unknowns.collect(), conjuncts, span, world)
}

#[test]
fn solving_finds_what_trying_all_values_finds_and_each_once() {
    let world = world();
    let (mut n_solutions, mut n_strict) = (0, 0);
    for seed in 0..2500 {
        let (text, machine) = random(seed);
        let problem = problem(&machine, &world);
        let (expected, is_defined) = try_all(&machine, &world, &problem.conjuncts);
        let mut readings = vec![true];
        if is_defined {
            n_strict += 1;
            readings.push(false);
        }
        for is_lenient in readings {
            let found = solve(&machine, &world, &problem, is_lenient);
            let found = found.unwrap_or_else(|f| panic!("seed {seed}: {text}\n{f:?}"));
            let distinct: HashSet<Vec<Value>> = found.iter().cloned().collect();
            assert_eq!(distinct.len(), found.len(), "seed {seed}, repeated: {text}");
            assert_eq!(
                distinct, expected,
                "seed {seed}, lenient {is_lenient}: {text}"
            );
        }
        n_solutions += expected.len();
    }
    assert!(n_solutions > 1000, "{n_solutions} solutions");
    assert!(
        n_strict > 500,
        "{n_strict} predicates are defined everywhere"
    );
}

#[test]
fn a_plan_without_its_checks_is_found_out() {
    let world = world();
    let mut n_wrong = 0;
    for seed in 0..200 {
        let (_, machine) = random(seed);
        let mut problem = problem(&machine, &world);
        let (expected, _) = try_all(&machine, &world, &problem.conjuncts);
        problem
            .steps
            .retain(|step| !matches!(step, PlanStep::Check { .. }));
        let found = solve(&machine, &world, &problem, true).unwrap_or_default();
        let found: HashSet<Vec<Value>> = found.into_iter().collect();
        n_wrong += usize::from(found != expected);
    }
    assert!(n_wrong > 100, "{n_wrong} wrong plans were found out");
}

/// Whether a relation belongs to a set of relations, from the words of the definition.
fn belongs(relation: &Set, op: Binary, from: &Set, to: &Set) -> bool {
    let pairs: Vec<(Value, Value)> = relation.pairs().collect();
    let demands = Demands::of(op);
    let is_within = pairs
        .iter()
        .all(|(a, b)| from.contains(a) && to.contains(b));
    let is_function = pairs
        .iter()
        .all(|(a, b)| pairs.iter().all(|(c, d)| a != c || b == d));
    let is_injective = pairs
        .iter()
        .all(|(a, b)| pairs.iter().all(|(c, d)| a == c || b != d));
    let is_total = from.iter().all(|a| pairs.iter().any(|(c, _)| *c == a));
    let is_onto = to.iter().all(|b| pairs.iter().any(|(_, d)| *d == b));
    is_within
        && (is_function || !demands.is_function)
        && (is_injective || !demands.is_injective)
        && (is_total || !demands.is_total)
        && (is_onto || !demands.is_onto)
}

#[test]
fn sets_of_relations_have_the_elements_that_belong_to_them() {
    let world = world();
    let span = base::Span::new(base::SourceId::new(0), 0..0);
    let mut context = Context::new(&world, Vec::new(), 0);
    let members: Vec<Value> = (0..3).map(|i| Value::member(SortId::new(0), i)).collect();
    let sort = Set::from_vec(members.clone());
    let some = Set::from_vec(vec![members[0].clone(), members[2].clone()]);
    let all: Vec<Set> = sort.product(&Set::interval(0, 1)).pow().collect();
    let arrows = [
        Binary::Relations,
        Binary::TotalRelations,
        Binary::SurjectiveRelations,
        Binary::TotalSurjectiveRelations,
        Binary::PartialFunctions,
        Binary::TotalFunctions,
        Binary::PartialInjections,
        Binary::TotalInjections,
        Binary::PartialSurjections,
        Binary::TotalSurjections,
        Binary::PartialBijections,
        Binary::TotalBijections,
    ];
    let mut n = 0;
    for op in arrows {
        for from in [&sort, &some, &Set::empty()] {
            for to in [Set::interval(0, 1), Set::interval(1, 1), Set::empty()] {
                let set = Symbolic::Binary(op, from.clone().into(), to.clone().into());
                let set = Value::Symbolic(Arc::new(set));
                let listed = context.list(&set, span).expect("finite");
                for relation in &all {
                    let expected = belongs(relation, op, from, &to);
                    let value = Value::Set(relation.clone());
                    let found = context.contains(&set, &value, span).expect("decided");
                    let message = format!("{op:?} from {from:?} to {to:?}: {relation:?}");
                    assert_eq!(found, expected, "{message}");
                    assert_eq!(listed.contains(&value), expected, "{message}");
                    n += usize::from(expected);
                }
            }
        }
    }
    assert!(n > 200, "{n} relations");
}
