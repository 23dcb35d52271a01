//! Names that hide other names: a random script whose names come from a few, beside its twin in
//! which every name is its own.
//!
//! Both texts are written side by side. The writer keeps scopes of its own, by FDR's rules: the
//! innermost declaration of a plain name is meant; a name with modules before it is looked up as a
//! whole, so that a variable `M` does not hide `M::x`; a name in a pattern is new unless it means a
//! constructor or channel there. A name is used only where it is ready, so nothing is recursive
//! but the processes. Then the definitions of both scripts have to be worth the same, and their
//! processes to have the same transitions.

use super::load;
use cspm::leaf::explore;
use cspm::operate::{Operator, StateLimits};
use cspm::value::Value;
use std::collections::HashSet;

const NAMES: [&str; 12] = [
    "M", "N", "A", "B", "c", "d", "x", "y", "f", "card", "STOP", "Events",
];

/// The same text in both scripts.
type Both = [String; 2];

#[derive(Clone, PartialEq, Debug)]
enum Kind {
    Number,
    /// From a number to a number.
    Function,
    /// A constructor or channel with one field of `{0..3}`.
    Constructor,
    Channel,
    Process,
    /// Members, and whether it is only a pattern for instances.
    Module(Vec<Entry>, bool),
}

#[derive(Clone, PartialEq, Debug)]
struct Entry {
    /// In the script, and in its twin.
    names: Both,
    /// What has to be written before it can be used.
    id: usize,
    kind: Kind,
    is_public: bool,
}

impl Entry {
    fn is_label(&self) -> bool {
        matches!(self.kind, Kind::Constructor | Kind::Channel)
    }
}

struct Writer {
    random: fastrand::Rng,
    scopes: Vec<Vec<Entry>>,
    ready: HashSet<usize>,
    n_ids: usize,
    text: Both,
}

fn same(text: &str) -> Both {
    [text.to_owned(), text.to_owned()]
}

/// `form` with each `§` replaced by the next part.
fn put(form: &str, parts: &[&Both]) -> Both {
    [0, 1].map(|side| {
        let mut parts = parts.iter();
        let mut text = String::new();
        for letter in form.chars() {
            match letter {
                '§' => text += &parts.next().expect("a part for each mark")[side],
                letter => text.push(letter),
            }
        }
        text
    })
}

impl Writer {
    fn meant(&self, name: &str) -> Option<&Entry> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|scope| scope.iter().find(|entry| entry.names[0] == name))
    }

    /// The module and the member that two names with `::` between them mean.
    fn meant_inside(&self, module: &str, name: &str) -> Option<(&Entry, &Entry)> {
        for scope in self.scopes.iter().rev() {
            let Some(home) = scope.iter().find(|entry| entry.names[0] == module) else {
                continue;
            };
            let Kind::Module(members, is_pattern) = &home.kind else {
                continue;
            };
            if let Some(found) = members.iter().find(|m| m.names[0] == name) {
                let may_use = found.is_public && !is_pattern && self.ready.contains(&home.id);
                return may_use.then_some((home, found));
            }
        }
        None
    }

    /// A name that `taken` does not have yet; for a variable, one that is no label here.
    fn fresh(&mut self, taken: &[Entry], kind: Kind, is_new_anyway: bool) -> Entry {
        let is_good = |writer: &Writer, name: &str| {
            let is_free = taken.iter().all(|entry| entry.names[0] != name);
            is_free && (is_new_anyway || writer.meant(name).is_none_or(|e| !e.is_label()))
        };
        let start = self.random.usize(..NAMES.len());
        let all = (0..NAMES.len()).map(|i| NAMES[(start + i) % NAMES.len()]);
        let all: Vec<&str> = all.filter(|name| is_good(self, name)).collect();
        self.n_ids += 1;
        let own = format!("own{}", self.n_ids);
        let name = all.first().map_or(own.clone(), |&name| name.to_owned());
        Entry {
            names: [name, own],
            id: self.n_ids,
            kind,
            is_public: true,
        }
    }

    fn variable(&mut self, taken: &[Entry]) -> Entry {
        let entry = self.fresh(taken, Kind::Number, false);
        self.ready.insert(entry.id);
        entry
    }

    /// All ways to write a thing of a kind here.
    fn visible(&self, is_wanted: impl Fn(&Kind) -> bool) -> Vec<Both> {
        let is_good = |e: &Entry| is_wanted(&e.kind) && self.ready.contains(&e.id);
        let plain = NAMES.iter().filter_map(|name| self.meant(name));
        let plain = plain.filter(|e| is_good(e)).map(|e| e.names.clone());
        let mut all: Vec<Both> = plain.collect();
        for (module, name) in NAMES.iter().flat_map(|m| NAMES.iter().map(move |n| (m, n))) {
            if let Some((home, found)) = self.meant_inside(module, name)
                && is_good(found)
            {
                all.push(put("§::§", &[&home.names, &found.names]));
            }
        }
        all
    }

    fn pick(&mut self, is_wanted: impl Fn(&Kind) -> bool) -> Option<Both> {
        let all = self.visible(is_wanted);
        (!all.is_empty()).then(|| all[self.random.usize(..all.len())].clone())
    }

    fn within(&mut self, scope: Vec<Entry>, write: impl FnOnce(&mut Self) -> Both) -> Both {
        self.scopes.push(scope);
        let text = write(self);
        self.scopes.pop();
        text
    }

    fn number(&mut self, size: usize) -> Both {
        match self.random.u8(..10) {
            _ if size == 0 => self.plain(),
            0 | 1 => self.plain(),
            2 => {
                let (a, b) = (self.number(size / 2), self.number(size / 2));
                put("((§ + §) % 5)", &[&a, &b])
            }
            3 => match self.pick(|kind| *kind == Kind::Function) {
                Some(f) => {
                    let a = self.number(size - 1);
                    put("§(§)", &[&f, &a])
                }
                None => self.plain(),
            },
            4 => self.lambda(size - 1),
            5 | 6 => self.local(size - 1),
            7 => self.counted(size - 1),
            8 => self.matched(size - 1),
            _ => {
                let [a, b, c, d] = [0; 4].map(|_| self.number(size / 3));
                put("(if § == § then § else §)", &[&a, &b, &c, &d])
            }
        }
    }

    fn plain(&mut self) -> Both {
        let name = self.pick(|kind| *kind == Kind::Number);
        name.unwrap_or_else(|| same(&self.random.u8(..4).to_string()))
    }

    fn lambda(&mut self, size: usize) -> Both {
        let (a, b) = (self.number(size / 2), self.number(size / 2));
        // The second parameter may have the name of the first.
        let (x, y) = (self.variable(&[]), self.variable(&[]));
        let body = |w: &mut Writer| w.within(vec![y.clone()], |w| w.number(size / 2));
        let body = self.within(vec![x.clone()], body);
        put("(\\ §, § @ §)(§, §)", &[&x.names, &y.names, &body, &a, &b])
    }

    /// A constructor taken apart.
    fn matched(&mut self, size: usize) -> Both {
        let Some(label) = self.pick(|kind| *kind == Kind::Constructor) else {
            return self.plain();
        };
        let a = self.number(size / 2);
        let x = self.variable(&[]);
        let body = self.within(vec![x.clone()], |w| w.number(size / 2));
        put(
            "(\\ §.§ @ §)(§.(§ % 4))",
            &[&label, &x.names, &body, &label, &a],
        )
    }

    /// A `let` of a number, a function and a pair.
    fn local(&mut self, size: usize) -> Both {
        let mut all: Vec<Entry> = Vec::new();
        for i in 0..4 {
            // A function may have the name of a constructor, and hides it.
            let kind = [Kind::Number, Kind::Function, Kind::Number, Kind::Number][i].clone();
            let entry = self.fresh(&all, kind, i == 1);
            all.push(entry);
        }
        self.within(all.clone(), |w| {
            let value = w.number(size / 3);
            w.ready.insert(all[0].id);
            let x = w.variable(&[]);
            let body = w.within(vec![x.clone()], |w| w.number(size / 3));
            w.ready.insert(all[1].id);
            let (a, b) = (w.number(size / 4), w.number(size / 4));
            w.ready.extend([all[2].id, all[3].id]);
            let last = w.number(size / 2);
            let [x1, f, y, z] = [0, 1, 2, 3].map(|i| &all[i].names);
            let form = "(let § = §  §(§) = §  (§, §) = (§, §) within §)";
            let form = form.replace("  ", "\n    ");
            put(
                &form,
                &[x1, &value, f, &x.names, &body, y, z, &a, &b, &last],
            )
        })
    }

    /// The number of elements of a set if `card` means that here, otherwise of a sequence.
    fn counted(&mut self, size: usize) -> Both {
        let from = self.number(size / 3);
        let x = self.variable(&[]);
        self.scopes.push(vec![x.clone()]);
        let source = self.number(size / 3);
        let y = self.variable(std::slice::from_ref(&x));
        self.scopes.push(vec![y.clone()]);
        let (condition, head) = (self.number(size / 3), self.number(size / 3));
        self.scopes.truncate(self.scopes.len() - 2);
        let form = match self.meant("card") {
            None => "card({§ | § <- {0..§ % 3}, § <- {0..§ % 3}, § != 1})",
            Some(_) => "(#(<§ | § <- <0..§ % 3>, § <- <0..§ % 3>, § != 1>) % 5)",
        };
        put(
            form,
            &[&head, &x.names, &from, &y.names, &source, &condition],
        )
    }

    /// A process that counts down, as far as its names are not hidden.
    fn process(&mut self, own: &Entry) {
        let n = self.variable(&[]);
        self.scopes.push(vec![n.clone()]);
        let body = match self.pick(|kind| *kind == Kind::Channel) {
            None => same("RUN({})"),
            Some(channel) => {
                let sent = self.number(6);
                let x = self.variable(&[]);
                let then = self.within(vec![x.clone()], |w| w.rest_of(own, &n));
                put(
                    "§!(§ % 4) -> §?§ -> §",
                    &[&channel, &sent, &channel, &x.names, &then],
                )
            }
        };
        self.scopes.pop();
        self.line(&put("§(§) = §", &[&own.names, &n.names, &body]));
    }

    fn rest_of(&mut self, own: &Entry, n: &Entry) -> Both {
        let is_seen = |entry: &Entry| {
            self.meant(&entry.names[0])
                .is_some_and(|e| e.id == entry.id)
        };
        let again = if is_seen(own) && is_seen(n) {
            put("§ > 0 & §(§ - 1)", &[&n.names, &own.names, &n.names])
        } else {
            same("RUN({})")
        };
        match self.pick(|kind| *kind == Kind::Channel) {
            Some(channel) => {
                let sent = self.number(4);
                put("(§!(§ % 4) -> RUN({}) [] (§))", &[&channel, &sent, &again])
            }
            None => put("(§)", &[&again]),
        }
    }

    /// The names of a scope, those of modules in it with what they have; `depth` modules deep.
    fn plan(&mut self, depth: usize, is_script: bool) -> Vec<Entry> {
        let mut all: Vec<Entry> = Vec::new();
        let kinds = [
            (Kind::Constructor, true),
            (Kind::Channel, true),
            (Kind::Module(Vec::new(), false), true),
            (Kind::Module(Vec::new(), true), true),
            (Kind::Number, false),
            (Kind::Function, true),
            (Kind::Number, false),
            (Kind::Process, true),
        ];
        for (kind, is_new_anyway) in kinds {
            if matches!(kind, Kind::Module(..)) && depth == 0 {
                continue;
            }
            let mut entry = self.fresh(&all, kind, is_new_anyway);
            entry.is_public = is_script || self.random.bool() || entry.is_label();
            all.push(entry);
        }
        if is_script {
            // The instance comes last, and has the names of its module.
            let instance = self.fresh(&all, Kind::Number, true);
            all.push(instance);
        }
        for i in 0..all.len() {
            if let Kind::Module(_, is_pattern) = all[i].kind {
                self.scopes.push(all.clone());
                let members = self.plan(depth - 1, false);
                self.scopes.pop();
                all[i].kind = Kind::Module(members, is_pattern);
            }
        }
        if is_script {
            let of = all.iter().find_map(|entry| match &entry.kind {
                Kind::Module(members, true) => Some(members.clone()),
                _ => None,
            });
            let last = all.len() - 1;
            all[last].kind = Kind::Module(of.expect("there is a pattern"), false);
        }
        all
    }

    fn line(&mut self, both: &Both) {
        for (text, line) in self.text.iter_mut().zip(both) {
            text.push_str(line);
            text.push('\n');
        }
    }

    /// Writes the declarations of the innermost scope that are public, or that are not.
    fn declarations(&mut self, is_public: bool) {
        let all = self.scopes.last().expect("a scope").clone();
        for entry in all.iter().filter(|entry| entry.is_public == is_public) {
            self.declaration(entry, &all);
        }
    }

    fn declaration(&mut self, entry: &Entry, all: &[Entry]) {
        let id = same(&entry.id.to_string());
        match &entry.kind {
            Kind::Constructor => {
                self.line(&put("datatype Type§ = §.{0..3}", &[&id, &entry.names]));
            }
            Kind::Channel => self.line(&put("channel § : {0..3}", &[&entry.names])),
            Kind::Number => {
                let value = self.number(8);
                self.line(&put("§ = §", &[&entry.names, &value]));
            }
            Kind::Function => {
                let x = self.variable(&[]);
                let body = self.within(vec![x.clone()], |w| w.number(6));
                self.line(&put("§(§) = §", &[&entry.names, &x.names, &body]));
            }
            Kind::Process => self.process(entry),
            Kind::Module(members, is_pattern) => {
                let of = all.iter().find(|other| {
                    other.id != entry.id && other.kind == Kind::Module(members.clone(), true)
                });
                match of {
                    Some(of) => {
                        let value = self.number(3);
                        let form = "instance § = §(§)";
                        self.line(&put(form, &[&entry.names, &of.names, &value]));
                    }
                    None => self.module(entry, members, *is_pattern),
                }
            }
        }
        self.ready.insert(entry.id);
    }

    fn module(&mut self, entry: &Entry, members: &[Entry], is_pattern: bool) {
        self.scopes.push(members.to_vec());
        let labels = members.iter().filter(|member| member.is_label());
        self.ready.extend(labels.map(|member| member.id));
        let parameter = self.variable(members);
        if is_pattern {
            self.line(&put("module §(§)", &[&entry.names, &parameter.names]))
        } else {
            self.line(&put("module §", &[&entry.names]))
        }
        // A parameter is seen inside, below the members.
        let own = if is_pattern { vec![parameter] } else { vec![] };
        self.scopes.insert(self.scopes.len() - 1, own);
        self.declarations(false);
        self.line(&same("exports"));
        self.declarations(true);
        self.line(&same("endmodule"));
        self.scopes.truncate(self.scopes.len() - 2);
    }
}

/// A script, its twin, and what is declared in them.
fn pair(seed: u64) -> (Both, Vec<Entry>) {
    let mut writer = Writer {
        random: fastrand::Rng::with_seed(seed),
        scopes: Vec::new(),
        ready: HashSet::new(),
        n_ids: 0,
        text: same(""),
    };
    let all = writer.plan(2, true);
    writer.scopes.push(all.clone());
    let labels = all.iter().filter(|entry| entry.is_label());
    writer.ready.extend(labels.map(|entry| entry.id));
    writer.declarations(true);
    (writer.text, all)
}

/// What a definition is worth, or the transitions of a process.
fn worth(text: &str, name: &str, kind: &Kind) -> String {
    if *kind == Kind::Number {
        return load(text).shown(name);
    }
    let text = format!("{text}\nexplored = {name}(2)\n");
    let mut loaded = load(&text);
    let root = match loaded.evaluate("explored") {
        Ok(Value::Process(root)) => root,
        other => panic!("{other:?} is no process\n{text}"),
    };
    let limits = StateLimits {
        states_max: 10_000,
        depth_max: 1000,
    };
    let mut operator = Operator::new(limits);
    let leaf = explore(root, &mut operator, &mut loaded.terms, &mut loaded.script);
    match leaf {
        Ok(leaf) => format!("{:?}", leaf.lts),
        Err(failure) => panic!("{failure:?}\n{text}"),
    }
}

#[test]
fn hidden_names_mean_what_names_of_their_own_mean() {
    let (mut n_qualified, mut n_big) = (0, 0);
    for seed in 0..120 {
        let (texts, all) = pair(seed);
        for (text, word) in texts.iter().zip(["hidden", "own"]) {
            let drawn = crate::types::check(text).drawn;
            assert!(
                drawn.is_empty(),
                "seed {seed}, {word} names: {drawn}\n{text}"
            );
        }
        n_qualified += texts[0].matches("::").count();
        for entry in all
            .iter()
            .filter(|e| matches!(e.kind, Kind::Number | Kind::Process))
        {
            let [one, other] =
                [0, 1].map(|side| worth(&texts[side], &entry.names[side], &entry.kind));
            n_big += usize::from(one.len() > 100);
            assert_eq!(
                one, other,
                "seed {seed}, {:?}\n{}\n{}",
                entry.names, texts[0], texts[1]
            );
        }
    }
    assert!(n_qualified > 500 && n_big > 50, "{n_qualified} {n_big}");
}
