//! What a symmetry does to states, in terms that do not depend on how it was found.
//!
//! Two models with the same layout may have the same symmetry under different names: classes of
//! numbers are counted otherwise, and other points move. Here a symmetry of one becomes one of the
//! other, and both are compared by what they do: which records, elements and numbers go where.
//!
//! Worked example: `turn` and `_pid` are one class in one model, and two in the other, where no
//! step compares them. The exchange of processes 0 and 1 with the numbers 0 and 1 of the one class
//! becomes the exchange with the numbers of both classes; both do the same to every state.

use crate::processes::act::{Act, Messages, Sent, Shape, Special};
use crate::processes::points::{Members, NONE};
use crate::processes::sort::{ClassId, Sorts};
use crate::processes::structure::Bearer;
use group::{Perm, Point};
use std::collections::HashMap;

/// What moves, and is not where it was.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Effect {
    records: Vec<RecordEffect>,
    kinds: Vec<KindEffect>,
}

/// A record that goes to the place of another.
#[derive(Clone, PartialEq, Debug)]
struct RecordEffect {
    from: usize,
    to: usize,
    /// The bytes that stay where they are.
    inert: Vec<(usize, usize)>,
}

/// The same for a kind of records.
#[derive(Clone, PartialEq, Debug)]
struct KindEffect {
    locations: Vec<(usize, i32)>,
    fields: Vec<FieldEffect>,
    messages: Vec<MessageEffect>,
}

/// What is renamed in the messages of a channel.
#[derive(Clone, PartialEq, Debug)]
struct MessageEffect {
    offset: usize,
    /// Where the tag is and what it holds, if only messages with that tag are meant.
    tag: Option<(usize, i32)>,
    renaming: Renaming,
}

/// The same for a variable.
#[derive(Clone, PartialEq, Debug)]
struct FieldEffect {
    field: usize,
    places: Vec<(usize, usize)>,
    renaming: Renaming,
    /// Where it is not renamed.
    neutral: Vec<bool>,
}

type Renaming = Vec<(i32, i32)>;

impl Effect {
    /// What a symmetry does; `None` if it makes a process one of another type, or a variable
    /// another.
    pub fn of(act: &Act, image: &[Point]) -> Option<Effect> {
        let mut records = Vec::new();
        for record in act.records.iter().filter(|record| record.point != NONE) {
            let to = image[record.point as usize];
            let to = act.records.iter().find(|other| other.point == to)?;
            if to.kind != record.kind {
                return None;
            }
            if to.at != record.at {
                let inert = act.shapes[record.kind].inert.clone();
                records.push(RecordEffect {
                    from: record.at,
                    to: to.at,
                    inert,
                });
            }
        }
        let kinds = act.shapes.iter().map(|shape| kind(act, image, shape));
        Some(Effect {
            records,
            kinds: kinds.collect::<Option<_>>()?,
        })
    }
}

fn kind(act: &Act, image: &[Point], shape: &Shape) -> Option<KindEffect> {
    let number = |point: Point| act.points.values[image[point as usize] as usize];
    let points = shape.locations.iter().flat_map(|(_, points)| points);
    let points = points.enumerate().filter(|(_, point)| **point != NONE);
    let locations = points.map(|(at, point)| (at, number(*point)));
    let fields: Option<Vec<FieldEffect>> = (shape.specials.iter())
        .map(|special| field(act, image, special))
        .collect();
    let is_seen = |f: &FieldEffect| !f.places.is_empty() || !f.renaming.is_empty();
    Some(KindEffect {
        locations: locations.filter(|(at, to)| *at as i32 != *to).collect(),
        fields: fields?.into_iter().filter(is_seen).collect(),
        messages: messages(act, image, &shape.messages),
    })
}

fn field(act: &Act, image: &[Point], special: &Special) -> Option<FieldEffect> {
    if special.point != NONE && image[special.point as usize] != special.point {
        return None;
    }
    let number = |point: Point| act.points.values[point as usize] as usize;
    let places = special.elements.iter().map(|element| {
        let to = element.moving.iter().fold(element.at, |at, (d, point)| {
            let stride = special.strides[*d];
            at + number(image[*point as usize]) * stride - number(*point) * stride
        });
        (element.at, to)
    });
    let renaming = special
        .class
        .map_or(Vec::new(), |c| renaming(act, image, c));
    Some(FieldEffect {
        field: special.field.index(),
        places: places.filter(|(from, to)| from != to).collect(),
        neutral: if renaming.is_empty() {
            Vec::new()
        } else {
            special.neutral.clone()
        },
        renaming,
    })
}

fn messages(act: &Act, image: &[Point], messages: &Messages) -> Vec<MessageEffect> {
    let mut all = Vec::new();
    for (offset, _, sent) in &messages.fields {
        let classes: Vec<(Option<(usize, i32)>, ClassId)> = match sent {
            Sent::Always(class) => vec![(None, *class)],
            Sent::ByTag(at, _, by_tag) => {
                let by_tag = by_tag.iter();
                by_tag.map(|(tag, c)| (Some((*at, *tag)), *c)).collect()
            }
        };
        let renamed = classes.iter().map(|(tag, class)| MessageEffect {
            offset: *offset,
            tag: *tag,
            renaming: renaming(act, image, *class),
        });
        all.extend(renamed.filter(|effect| !effect.renaming.is_empty()));
    }
    all
}

fn renaming(act: &Act, image: &[Point], class: ClassId) -> Renaming {
    let members: &Members = act.points.members(class);
    let all = members.values().map(|value| {
        let point = members.point(value);
        (value, act.points.values[image[point as usize] as usize])
    });
    all.filter(|(from, to)| from != to).collect()
}

/// A model, as far as symmetries are named in it.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub sorts: &'a Sorts,
    pub act: &'a Act,
}

/// The permutation of the points of `to` that does to states what `image` does as one of the
/// points of `from`; `None` if there is none.
pub(super) fn translated(from: Named<'_>, image: &[Point], to: Named<'_>) -> Option<Perm> {
    let classes = classes(from.sorts, to.sorts);
    let (old, new) = (from.act.points(), to.act.points());
    let moved = |bearer: Bearer| match bearer {
        Bearer::Member(class, value) => {
            let there = old.members(*classes.get(&class)?);
            Some(match there.point(value) {
                NONE => bearer,
                point => Bearer::Member(class, old.values[image[point as usize] as usize]),
            })
        }
        bearer => Some(match old.of(bearer) {
            NONE => bearer,
            point => old.bearers[image[point as usize] as usize],
        }),
    };
    let all = new.bearers.iter().map(|bearer| {
        let point = new.of(moved(*bearer)?);
        (point != NONE).then_some(point)
    });
    let perm = Perm::from_image(all.collect::<Option<Vec<Point>>>()?)?;
    let (mut wanted, mut found) = (vec![0; old.len()], vec![0; new.len()]);
    wanted.copy_from_slice(image);
    perm.write_image(&mut found);
    let same = Effect::of(from.act, &wanted)? == Effect::of(to.act, &found)?;
    same.then_some(perm)
}

/// The class in `from` of what is in a class of `to`, by one of the places where that is.
fn classes(from: &Sorts, to: &Sorts) -> HashMap<ClassId, ClassId> {
    let mut map = HashMap::new();
    for (k, fields) in to.fields.iter().enumerate() {
        for (f, new) in fields.iter().enumerate() {
            let old = &from.fields[k][f];
            map.entry(new.value).or_insert(old.value);
            for (new, old) in new.indices.iter().zip(&old.indices) {
                map.entry(*new).or_insert(*old);
            }
        }
        let (new, old) = (&to.messages[k], &from.messages[k]);
        if new.tag == old.tag {
            let pairs = new.all().zip(old.all());
            pairs.for_each(|((_, new), (_, old))| {
                map.entry(new).or_insert(old);
            });
        }
    }
    for (new, old) in to.pids.iter().zip(&from.pids) {
        map.entry(*new).or_insert(*old);
    }
    map
}
