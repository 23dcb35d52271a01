//! Packed records of processes and channels, as reduction reads them.

use crate::action::{Action, Layer, Reads, Record, Sketch, mix};
use crate::processes::act::Act;
use crate::processes::picture::{Canvas, Picture};
use group::Point;
use group::image::Object;
use system::Scratch;

impl Action for Act {
    fn degree(&self) -> usize {
        self.points().len()
    }

    fn is_settled(&self, state: &[u8]) -> bool {
        Act::is_settled(self, state)
    }

    fn apply(&self, image: &[Point], state: &[u8], out: &mut Vec<u8>) {
        Act::apply(self, image, state, out);
    }
}

/// Reads states of processes and channels.
pub struct Reading {
    act: Act,
    picture: Picture,
}

/// Memory that is reused from state to state.
#[derive(Default)]
struct Memory {
    canvas: Canvas,
    order: Vec<Point>,
}

impl Reading {
    /// For the states that `act` moves.
    pub fn new(act: &Act) -> Reading {
        Reading {
            picture: Picture::new(act),
            act: act.clone(),
        }
    }

    /// How states move, and how they become objects.
    pub(crate) fn parts(&self) -> (&Act, &Picture) {
        (&self.act, &self.picture)
    }

    fn draw<'s>(&self, state: &[u8], scratch: &'s mut Scratch) -> &'s mut Memory {
        let memory = scratch.content::<Memory>();
        self.picture.draw(&self.act, state, &mut memory.canvas);
        memory
    }
}

impl Reads for Reading {
    fn act(&self) -> &dyn Action {
        &self.act
    }

    fn has_references(&self) -> bool {
        self.picture.has_references(&self.act)
    }

    fn scratch(&self) -> Scratch {
        Scratch::new(Memory::default())
    }

    fn object<'s>(&self, state: &[u8], scratch: &'s mut Scratch) -> &'s Object {
        &self.draw(state, scratch).canvas.object
    }

    fn ranks(&self, state: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>) {
        let Memory { canvas, order } = self.draw(state, scratch);
        let (n, words) = (self.picture.n_words(), canvas.words());
        let data = |x: &Point| &words[*x as usize * n..(*x as usize + 1) * n];
        order.clear();
        order.extend(0..self.act.points.len() as Point);
        order.sort_unstable_by(|x, y| data(x).cmp(data(y)));
        out.clear();
        out.resize(order.len(), 0);
        let mut rank = 0;
        for pair in order.windows(2) {
            rank += u32::from(data(&pair[0]) != data(&pair[1]));
            out[pair[1] as usize] = rank;
        }
    }

    /// A location that moves with the group is 0.
    fn locations(&self, state: &[u8], out: &mut Vec<u32>) {
        out.clear();
        out.resize(self.act.points.len(), 0);
        for record in &self.act.records {
            let shape = &self.act.shapes[record.kind];
            let scalar = shape.location.filter(|_| shape.locations.is_none());
            if let (Some(place), Some(scalar)) = (out.get_mut(record.point as usize), scalar) {
                *place = scalar.load(state, record.at + 1) as u32;
            }
        }
    }

    fn records(&self) -> Vec<Record> {
        let records = self.act.records.iter().map(|record| {
            let shape = &self.act.shapes[record.kind];
            let first = record.at + 1;
            let location = shape.location.map(|scalar| scalar.n_bytes() as usize);
            Record {
                point: record.point,
                location: location.map(|n_bytes| first..first + n_bytes),
                bytes: first..record.at + shape.size,
                is_channel: shape.is_channel,
                key: self
                    .act
                    .declared
                    .by_point
                    .get(&record.point)
                    .cloned()
                    .unwrap_or_default(),
            }
        });
        records.collect()
    }

    fn layers(&self) -> &[Layer] {
        &self.act.declared.layers
    }

    fn sketch(&self, state: &[u8], scratch: &mut Scratch, out: &mut Sketch) {
        let canvas = &self.draw(state, scratch).canvas;
        let (n, words) = (self.picture.n_words(), canvas.words());
        let object = &canvas.object;
        out.nodes.clear();
        out.nodes.extend_from_slice(object.colours());
        for (x, node) in out.nodes[..object.n_points()].iter_mut().enumerate() {
            let own = &words[x * n..(x + 1) * n];
            *node = own.iter().fold(0, |hash, word| mix(hash ^ word));
        }
        out.arcs.clear();
        let arcs = object.arcs().iter();
        out.arcs
            .extend(arcs.map(|arc| (arc.from, arc.to, u64::from(arc.label))));
        self.picture.residue(&self.act, state, &mut out.residue);
    }
}
