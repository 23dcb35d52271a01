//! What a permutation of bearers makes of each name of the model.
//!
//! A permutation says where processes, channels, members, variables and locations go; where types,
//! kinds of records and classes go follows, because all that belongs to one goes together.

use super::facts::Facts;
use super::{Why, no};
use crate::processes::detect::Bearing;
use crate::processes::sort::ClassId;
use crate::processes::structure::Bearer;
use group::Perm;
use model::processes::layout::{FieldId, KindId};
use model::processes::program::{LocationId, ProctypeId};
use std::collections::{BTreeMap, HashMap};

/// The images of all names.
#[derive(Clone, Debug)]
pub(super) struct Substitution {
    /// By number.
    pub processes: Vec<i32>,
    /// By number, from 1.
    pub channels: Vec<i32>,
    /// By class; members that stay are not here.
    members: Vec<HashMap<i32, i32>>,
    pub classes: Vec<ClassId>,
    pub kinds: Vec<KindId>,
    pub types: Vec<ProctypeId>,
    pub fields: Vec<Vec<(KindId, FieldId)>>,
    pub locations: Vec<Vec<(ProctypeId, LocationId)>>,
}

impl Substitution {
    /// The one that changes nothing.
    pub fn identity(facts: &Facts<'_>) -> Substitution {
        let text = &facts.sorts.text;
        let kinds = text.layout.kinds.iter().enumerate();
        let fields = kinds.map(|(k, kind)| {
            let fields = (0..kind.fields.len()).map(|f| (KindId::new(k), FieldId::new(f)));
            fields.collect()
        });
        let types = text.proctypes.iter().enumerate();
        let locations = types.map(|(p, proctype)| {
            let n = proctype.locations.len();
            (0..n)
                .map(|l| (ProctypeId::new(p), LocationId::new(l)))
                .collect()
        });
        Substitution {
            processes: (0..facts.population.processes.len() as i32).collect(),
            channels: (0..=facts.population.channels.len() as i32).collect(),
            members: vec![HashMap::new(); facts.sorts.classes.len()],
            classes: (0..facts.sorts.classes.len()).map(ClassId::new).collect(),
            kinds: (0..text.layout.kinds.len()).map(KindId::new).collect(),
            types: (0..text.proctypes.len()).map(ProctypeId::new).collect(),
            fields: fields.collect(),
            locations: locations.collect(),
        }
    }

    /// The one that a permutation gives, if what belongs together goes together.
    pub fn derive(
        facts: &Facts<'_>,
        (bearers, generator): (&[Bearer], &Perm),
        bearing: &Bearing<'_>,
    ) -> Result<Substitution, Why> {
        let mut images = Substitution::identity(facts);
        let mut classes: BTreeMap<ClassId, ClassId> = BTreeMap::new();
        for (x, y) in generator.moves() {
            let (from, to) = (bearers[x as usize], bearers[y as usize]);
            if !facts.is_there(from) || !facts.is_there(to) {
                return no("it moves something that is not there");
            }
            match (from, to) {
                (Bearer::Process(n), Bearer::Process(m)) => images.processes[n as usize] = m,
                (Bearer::Channel(n), Bearer::Channel(m)) => images.channels[n as usize] = m,
                (Bearer::Member(c, v), Bearer::Member(d, w)) => {
                    images.members[c.index()].insert(v, w);
                    if *classes.entry(c).or_insert(d) != d {
                        return no("members of one sort would become members of two");
                    }
                }
                (Bearer::Field(k, f), Bearer::Field(..)) => {
                    let Bearer::Field(l, g) = to else { continue };
                    images.fields[k.index()][f.index()] = (l, g);
                }
                (Bearer::Location(p, l), Bearer::Location(q, m)) => {
                    images.locations[p.index()][l.index()] = (q, m);
                }
                _ => return no("it moves something to what is of another nature"),
            }
        }
        images.classes(facts, &classes)?;
        images.follow(facts, bearing);
        images.kinds(facts)?;
        Ok(images)
    }

    /// What a permutation says of names, whether these go together or not: to show what it would
    /// make of a text.
    pub fn loose(
        facts: &Facts<'_>,
        moves: &[(Bearer, Bearer)],
        bearing: &Bearing<'_>,
    ) -> Substitution {
        let mut images = Substitution::identity(facts);
        for (from, to) in moves {
            match (*from, *to) {
                (Bearer::Process(n), Bearer::Process(m)) => images.processes[n as usize] = m,
                (Bearer::Channel(n), Bearer::Channel(m)) => images.channels[n as usize] = m,
                (Bearer::Member(c, v), Bearer::Member(_, w)) => {
                    images.members[c.index()].insert(v, w);
                }
                (Bearer::Field(k, f), Bearer::Field(l, g)) => {
                    images.fields[k.index()][f.index()] = (l, g);
                }
                (Bearer::Location(p, l), Bearer::Location(q, m)) => {
                    images.locations[p.index()][l.index()] = (q, m);
                }
                _ => {}
            }
        }
        images.follow(facts, bearing);
        images
    }

    /// A class goes to another with all its members.
    fn classes(
        &mut self,
        facts: &Facts<'_>,
        classes: &BTreeMap<ClassId, ClassId>,
    ) -> Result<(), Why> {
        for (c, d) in classes {
            self.classes[c.index()] = *d;
            let members = facts.sorts.class(*c).members.iter().flatten();
            let moved = self.members[c.index()].len();
            if c != d && members.count() != moved {
                return no("some members of a sort would go to another sort, and some would not");
            }
        }
        let mut seen = vec![false; self.classes.len()];
        for d in &self.classes {
            if std::mem::replace(&mut seen[d.index()], true) {
                return no("two sorts would become one");
            }
        }
        Ok(())
    }

    /// Numbers of processes and channels that no state shows go where these go.
    fn follow(&mut self, facts: &Facts<'_>, bearing: &Bearing<'_>) {
        for (c, class) in facts.sorts.classes.iter().enumerate() {
            let id = ClassId::new(c);
            if bearing.shows(id) || !self.members[c].is_empty() || self.classes[c] != id {
                continue;
            }
            let pids = facts.sorts.pids.contains(&id) || class.names_processes;
            let images = match (pids, class.names_channels) {
                (true, _) => &self.processes,
                (false, true) => &self.channels,
                _ => continue,
            };
            for v in class.members.iter().flatten() {
                let image = usize::try_from(*v).ok().and_then(|n| images.get(n));
                if let Some(w) = image.filter(|w| facts.is_member(id, **w) && *w != v) {
                    self.members[c].insert(*v, *w);
                }
            }
        }
    }

    /// Types and kinds go where what belongs to them goes.
    fn kinds(&mut self, facts: &Facts<'_>) -> Result<(), Why> {
        let (text, population) = (&facts.sorts.text, facts.population);
        let mut images: HashMap<KindId, KindId> = HashMap::new();
        let mut pairs = Vec::new();
        for record in &population.processes {
            let to = self.processes[record.number as usize];
            pairs.push((record.kind, population.processes[to as usize].kind));
        }
        for record in &population.channels {
            let to = self.channels[record.number as usize];
            pairs.push((record.kind, population.channels[to as usize - 1].kind));
        }
        for (k, fields) in self.fields.iter().enumerate() {
            for (f, (l, _)) in fields.iter().enumerate() {
                if facts.sorts.uses[k][f].used {
                    pairs.push((KindId::new(k), *l));
                }
            }
        }
        for (p, locations) in self.locations.iter().enumerate() {
            for (at, (q, _)) in locations.iter().enumerate() {
                if facts.is_live(ProctypeId::new(p), LocationId::new(at)) {
                    pairs.push((text.proctypes[p].kind, text.proctype(*q).kind));
                }
            }
        }
        for (k, l) in pairs {
            if *images.entry(k).or_insert(l) != l {
                let name = &text.layout.kind(k).name;
                return no(format!(
                    "part of what belongs to {} would not go with it",
                    named(name)
                ));
            }
        }
        let mut seen = vec![false; self.kinds.len()];
        for k in 0..self.kinds.len() {
            let to = images
                .get(&KindId::new(k))
                .copied()
                .unwrap_or(KindId::new(k));
            self.kinds[k] = to;
            if std::mem::replace(&mut seen[to.index()], true) {
                return no("two kinds of processes or channels would become one");
            }
        }
        for (p, proctype) in text.proctypes.iter().enumerate() {
            let to = self.kinds[proctype.kind.index()];
            let Some(q) = facts.type_of(to) else {
                return no("a process would become a channel");
            };
            self.types[p] = q;
        }
        Ok(())
    }

    /// What a number of a class becomes.
    pub fn number(&self, class: ClassId, value: i32) -> i32 {
        self.members[class.index()]
            .get(&value)
            .copied()
            .unwrap_or(value)
    }

    /// What a class becomes.
    pub fn class(&self, class: ClassId) -> ClassId {
        self.classes[class.index()]
    }

    /// Whether some process goes elsewhere.
    pub fn moves_processes(&self) -> bool {
        self.processes
            .iter()
            .enumerate()
            .any(|(n, m)| n as i32 != *m)
    }
}

fn named(name: &str) -> String {
    match name {
        "" => "the globals".to_owned(),
        name => format!("`{name}`"),
    }
}
