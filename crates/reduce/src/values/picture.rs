//! A state that is made of values as an object over points: what images are taken of.
//!
//! What a state says about members is a list of *facts*: tuples of points and of sets that hold
//! points, with all that is plain beside them, in a *context* that says where in the state the fact
//! is from. A fact about one point is data of it; one about two points is an arc; one about more is
//! a vertex. A set within an element is a vertex of its own with arcs to what is in it, unless it
//! is the value of a function, `{(x, {y, z}), …}`: then it is taken apart into facts about `x` and
//! `y`, about `x` and `z`, and one about `x` alone, that it has a value. What has no point in it is
//! the same in all states of an orbit and is left out.
//!
//! Worked example, a sort of points `a b c`:
//!
//! ```text
//! v = a                    a bit of data of a
//! w = {(a, 5), (b, 5)}     data of a and of b: "w, 5"
//! r = {(a, b), (c, c)}     an arc a → b labelled "r", a bit of data of c
//! f = {(a, {b, c})}        data of a: "f has a value"; arcs a → b and a → c labelled "f"
//! s = {{a, b}, {c}}        vertices u with arcs to a and b, and t with an arc to c, both "s"
//! ```
//!
//! **Why it is right.** It treats all points of a sort alike, so a renamed state has the renamed
//! object. And who fixes the object fixes each fact: points by their data, arcs by their labels,
//! vertices by their colours and what they refer to; facts and what is plain make up the state.
//! The picture that was published for states of B leaves out which end of a pair is which below
//! the top, and which pairs belong to which relation (Turner 2007, ch. 4), so that the last
//! argument fails for it; `crates/reduce/tests/it/values/pictures.rs` has the examples.
//!
//! Data, labels and colours are compared in full, by their rank among those of the state. So two
//! states of different orbits may have equal objects; that does no harm, for it is the state that
//! is moved and stored.
//!
//! Cost: a pass over the state, and sorting of facts.

use super::act::Act;
use super::compile::{
    Compiler, ELEMENT, Fact, Inner, Leaf, MORE, Nested, ONE, SAME, TWO, Top, TopBits, TopList,
    Tuples, WHOLE,
};
use super::points::Points;
use super::published::PublishedPicture;
use crate::action::{Action, Reads, Sketch, mix};
use crate::processes::points::NONE;
use group::Point;
use group::graph::Graph;
use group::image::{Node, Object};
use model::values::bytes::{Reader, put_member};
use model::values::shape::visit_bits;
use model::values::{Signature, Stage};
use system::Scratch;

/// How states become objects.
#[derive(Clone, Debug)]
pub struct Picture {
    constants: Vec<Top>,
    variables: Vec<Top>,
    /// How many words of bits a point has.
    n_words: usize,
    refers: bool,
}

/// A fact without the nodes that it is about. Equal keys mean equal facts; the bytes of long ones
/// are elsewhere.
type Key = u64;

/// The bytes of the key are those of that number among the long ones.
const LONG: Key = 1 << 63;
/// The key is a label that is known beforehand.
const LABEL: Key = 1 << 62;
/// So many bytes fit into a key beside the context.
const SHORT_MAX: usize = 5;
/// Labels from here on are ranks of keys.
const RANKED: u32 = 1 << 31;

/// Memory that is reused from state to state.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    object: Object,
    /// Bits of data, [`Picture::n_words`] words a point.
    words: Vec<u64>,
    /// By node: what else it owns.
    owned: Vec<(Node, Key)>,
    /// Where in `owned` the data of each node start; one entry more than nodes.
    starts: Vec<u32>,
    arcs: Vec<(Node, Node, Key)>,
    n_nodes: u32,
    /// Keys of arcs, in order.
    keys: Vec<Key>,
    /// Bytes of long keys, with their contexts.
    long: Vec<(u32, Box<[u8]>)>,
    /// What is the same in all states of the orbit.
    residue: Vec<u8>,
    /// Work not yet done: plain bytes, nodes, and arcs from the set that is being drawn.
    plain: Vec<u8>,
    nodes: Vec<Node>,
    pending: Vec<(Node, Key)>,
    order: Vec<Node>,
    colours: Vec<u64>,
}

impl Picture {
    /// Works out how the states of a signature become objects.
    pub(super) fn new(signature: &Signature, points: &Points) -> Picture {
        let mut compiler = Compiler::new(signature, points);
        let constants = compiler.tops(&signature.constants);
        let variables = compiler.tops(&signature.variables);
        Picture {
            constants,
            variables,
            n_words: compiler.n_words(),
            refers: compiler.refers,
        }
    }

    fn draw(&self, points: &Points, state: &[u8], canvas: &mut Canvas) {
        canvas.start(points.len(), self.n_words);
        let mut reader = Reader::new(state);
        let stage = reader.byte();
        canvas.residue.push(stage);
        let mut drawing = Drawing {
            points,
            n_words: self.n_words,
            reader,
            canvas,
        };
        self.constants.iter().for_each(|top| drawing.top(top));
        if stage == Stage::Running as u8 {
            self.variables.iter().for_each(|top| drawing.top(top));
        }
        canvas.finish(points.len(), self.n_words);
    }
}

struct Drawing<'a> {
    points: &'a Points,
    n_words: usize,
    reader: Reader<'a>,
    canvas: &'a mut Canvas,
}

impl Drawing<'_> {
    fn top(&mut self, top: &Top) {
        match top {
            Top::Plain(shape) => {
                let start = self.reader.at();
                shape.skip(&mut self.reader);
                self.canvas
                    .residue
                    .extend_from_slice(self.reader.since(start));
            }
            Top::Member(sort, n, bit) => {
                let member = self.reader.member(*n);
                match self.points.of(*sort, member) {
                    NONE => put_member(member, *n, &mut self.canvas.residue),
                    point => self.set_bit(point, *bit),
                }
            }
            Top::Bits(bits) => self.top_bits(bits),
            Top::List(list) => self.top_list(list),
        }
    }

    #[inline]
    fn set_bit(&mut self, point: Point, bit: u32) {
        let word = point as usize * self.n_words + bit as usize / 64;
        self.canvas.words[word] |= 1 << (bit % 64);
    }

    fn top_bits(&mut self, bits: &TopBits) {
        let from = self.reader.take(bits.tuples.n_bytes);
        visit_bits(from, |index| match bits.facts[index] {
            Fact::Plain => {}
            Fact::One(x, bit) => self.set_bit(x, bit),
            Fact::Two(x, y, label) => {
                let key = LABEL | Key::from(label);
                self.canvas.arcs.push((x, y, key));
            }
            Fact::More(tuple) => {
                let start = self.canvas.plain.len();
                let pattern = tuple.pattern.to_le_bytes();
                self.canvas.plain.extend_from_slice(&pattern);
                let key = self.canvas.key(bits.context + MORE, start);
                self.canvas.vertex(key, bits.tuples.points(tuple));
            }
        });
        let plain = from
            .iter()
            .zip(&bits.tuples.plain)
            .map(|(b, mask)| b & mask);
        self.canvas.residue.extend(plain);
    }

    fn top_list(&mut self, list: &TopList) {
        let n = self.reader.unsigned();
        match &list.inner {
            Some(inner) if self.is_function(list, inner, n) => {
                for _ in 0..n {
                    self.function_element(list, inner);
                }
            }
            inner => {
                for _ in 0..n {
                    self.leaves(&list.leaves);
                    match inner {
                        Some(Inner::Bits(tuples, label)) => {
                            self.nested_bits(tuples, *label, list.inner_context);
                        }
                        Some(Inner::List(leaves)) => self.nested_list(leaves, list.inner_context),
                        None => {}
                    }
                    self.emit(list.context, 0, 0);
                }
            }
        }
    }

    /// Whether no two of the `n` elements that come next agree in all but the last leaf. Those that
    /// do stand beside each other, since lists are in order.
    fn is_function(&self, list: &TopList, inner: &Inner, n: u64) -> bool {
        let mut reader = self.reader;
        let mut before: Option<&[u8]> = None;
        for _ in 0..n {
            let start = reader.at();
            list.leaves.iter().for_each(|leaf| leaf.skip(&mut reader));
            let argument = reader.since(start);
            if before == Some(argument) {
                return false;
            }
            before = Some(argument);
            inner.skip(&mut reader);
        }
        true
    }

    /// An element whose last leaf is a set that is taken apart.
    fn function_element(&mut self, list: &TopList, inner: &Inner) {
        self.leaves(&list.leaves);
        let (n_nodes, n_plain) = (self.canvas.nodes.len(), self.canvas.plain.len());
        match inner {
            Inner::Bits(tuples, _) => {
                let from = self.reader.take(tuples.n_bytes);
                visit_bits(from, |index| {
                    let tuple = tuples.tuples[index];
                    let points = tuples.points(tuple);
                    if points.is_empty() {
                        return;
                    }
                    let canvas = &mut *self.canvas;
                    canvas.nodes.extend_from_slice(points);
                    if !tuples.is_uniform() {
                        canvas.plain.extend_from_slice(&tuple.pattern.to_le_bytes());
                    }
                    self.emit_copy(list.inner_context, n_nodes, n_plain);
                });
                let plain = from.iter().zip(&tuples.plain);
                let any = tuples.plain.iter().any(|mask| *mask != 0);
                let plain = plain.filter(|_| any).map(|(b, mask)| b & mask);
                self.canvas.plain.extend(plain);
            }
            Inner::List(leaves) => {
                // What is plain in the set comes after the facts about points.
                let mut plain = Vec::new();
                for _ in 0..self.reader.unsigned() {
                    self.leaves(leaves);
                    if self.canvas.nodes.len() == n_nodes {
                        plain.extend(self.canvas.plain.drain(n_plain..));
                    } else {
                        self.emit_copy(list.inner_context, n_nodes, n_plain);
                    }
                }
                self.canvas.plain.extend(plain);
            }
        }
        self.emit(list.context, 0, 0);
    }

    /// The fact that all nodes and plain bytes on the work list make; those up to the given lengths
    /// stay there.
    fn emit_copy(&mut self, context: u32, n_nodes: usize, n_plain: usize) {
        let canvas = &mut *self.canvas;
        let (node, plain) = (canvas.nodes.len(), canvas.plain.len());
        canvas.nodes.extend_from_within(..node);
        canvas.plain.extend_from_within(..plain);
        self.emit(context, node, plain);
        self.canvas.nodes.truncate(n_nodes);
        self.canvas.plain.truncate(n_plain);
    }

    /// The fact that nodes and plain bytes from there on make, which are taken off the work list.
    fn emit(&mut self, context: u32, nodes: usize, plain: usize) {
        let canvas = &mut *self.canvas;
        match canvas.nodes[nodes..] {
            [] => {
                let bytes = canvas.plain.drain(plain..);
                canvas.residue.extend(bytes);
            }
            [x] => {
                let key = canvas.key(context + ONE, plain);
                canvas.owned.push((x, key));
            }
            [x, y] if x == y => {
                let key = canvas.key(context + SAME, plain);
                canvas.owned.push((x, key));
            }
            [x, y] => {
                let key = canvas.key(context + TWO, plain);
                // Of two vertices the later one refers.
                let n_points = self.points.len() as Node;
                let are_vertices = x >= n_points && y >= n_points;
                let (from, to) = if are_vertices { (y, x) } else { (x, y) };
                canvas.arcs.push((from, to, key));
            }
            _ => {
                let key = canvas.key(context + MORE, plain);
                canvas.vertex_from(key, nodes);
            }
        }
        canvas.nodes.truncate(nodes);
    }

    /// Puts the parts of an element on the work list.
    fn leaves(&mut self, leaves: &[Leaf]) {
        for leaf in leaves {
            match leaf {
                Leaf::Plain(shape) => {
                    let start = self.reader.at();
                    shape.skip(&mut self.reader);
                    self.canvas
                        .plain
                        .extend_from_slice(self.reader.since(start));
                }
                Leaf::Member { sort, n, is_mixed } => {
                    let member = self.reader.member(*n);
                    let point = self.points.of(*sort, member);
                    if *is_mixed {
                        self.canvas.plain.push(u8::from(point == NONE));
                    }
                    match point {
                        NONE => put_member(member, *n, &mut self.canvas.plain),
                        point => self.canvas.nodes.push(point),
                    }
                }
                Leaf::Set(Nested::Bits {
                    tuples,
                    label,
                    context,
                }) => self.nested_bits(tuples, *label, *context),
                Leaf::Set(Nested::List { leaves, context }) => self.nested_list(leaves, *context),
            }
        }
    }

    /// A set of tuples within an element.
    fn nested_bits(&mut self, tuples: &Tuples, label: u32, context: u32) {
        let from = self.reader.take(tuples.n_bytes);
        let first = self.canvas.pending.len();
        visit_bits(from, |index| {
            let tuple = tuples.tuples[index];
            let canvas = &mut *self.canvas;
            match tuples.points(tuple) {
                [] => {}
                [x] => {
                    let key = LABEL | Key::from(label + u32::from(tuple.pattern));
                    canvas.pending.push((*x, key));
                }
                points => {
                    let start = canvas.plain.len();
                    canvas.plain.extend_from_slice(&tuple.pattern.to_le_bytes());
                    let key = canvas.key(context + MORE, start);
                    let node = canvas.vertex(key, points);
                    canvas.pending.push((node, LABEL | Key::from(ELEMENT)));
                }
            }
        });
        let start = self.canvas.plain.len();
        if self.canvas.pending.len() == first {
            self.canvas.plain.push(1);
            self.canvas.plain.extend_from_slice(from);
            return;
        }
        if tuples.plain.iter().any(|mask| *mask != 0) {
            let plain = from.iter().zip(&tuples.plain).map(|(b, mask)| b & mask);
            self.canvas.plain.extend(plain);
        }
        self.close_set(context, first, start);
    }

    fn nested_list(&mut self, leaves: &[Leaf], context: u32) {
        let begin = self.reader.at();
        let first = self.canvas.pending.len();
        let start = self.canvas.plain.len();
        let n_nodes = self.canvas.nodes.len();
        for _ in 0..self.reader.unsigned() {
            let plain = self.canvas.plain.len();
            self.leaves(leaves);
            let canvas = &mut *self.canvas;
            match canvas.nodes[n_nodes..] {
                // What is plain stays on the work list as part of the set.
                [] => {}
                [x] => {
                    let key = canvas.key(context + ONE, plain);
                    canvas.pending.push((x, key));
                }
                _ => {
                    let key = canvas.key(context + MORE, plain);
                    let node = canvas.vertex_from(key, n_nodes);
                    canvas.pending.push((node, LABEL | Key::from(ELEMENT)));
                }
            }
            canvas.nodes.truncate(n_nodes);
        }
        if self.canvas.pending.len() == first {
            self.canvas.plain.truncate(start);
            self.canvas.plain.push(1);
            self.canvas
                .plain
                .extend_from_slice(self.reader.since(begin));
            return;
        }
        self.close_set(context, first, start);
    }

    /// A vertex for a set: what is plain in it is on the work list, what is not is pending.
    fn close_set(&mut self, context: u32, first: usize, start: usize) {
        let canvas = &mut *self.canvas;
        let key = canvas.key(context + WHOLE, start);
        let node = canvas.vertex(key, &[]);
        for (to, key) in canvas.pending.drain(first..) {
            canvas.arcs.push((node, to, key));
        }
        canvas.plain.push(0);
        canvas.nodes.push(node);
    }
}

impl Leaf {
    fn skip(&self, reader: &mut Reader<'_>) {
        match self {
            Leaf::Plain(shape) => shape.skip(reader),
            Leaf::Member { n, .. } => {
                reader.member(*n);
            }
            Leaf::Set(Nested::Bits { tuples, .. }) => {
                reader.take(tuples.n_bytes);
            }
            Leaf::Set(Nested::List { leaves, .. }) => {
                for _ in 0..reader.unsigned() {
                    leaves.iter().for_each(|leaf| leaf.skip(reader));
                }
            }
        }
    }
}

impl Inner {
    fn skip(&self, reader: &mut Reader<'_>) {
        match self {
            Inner::Bits(tuples, _) => {
                reader.take(tuples.n_bytes);
            }
            Inner::List(leaves) => {
                for _ in 0..reader.unsigned() {
                    leaves.iter().for_each(|leaf| leaf.skip(reader));
                }
            }
        }
    }
}

impl Canvas {
    fn start(&mut self, n_points: usize, n_words: usize) {
        self.words.clear();
        self.words.resize(n_points * n_words, 0);
        self.owned.clear();
        self.arcs.clear();
        self.n_nodes = n_points as u32;
        self.long.clear();
        self.residue.clear();
    }

    /// The key of the plain bytes from `start` on, which are taken off the work list.
    fn key(&mut self, context: u32, start: usize) -> Key {
        let bytes = &self.plain[start..];
        let key = match bytes.len() {
            n @ 0..=SHORT_MAX => {
                let bytes = bytes
                    .iter()
                    .fold(0, |key, byte| key << 8 | Key::from(*byte));
                Key::from(context) << 42 | (n as Key) << 39 | bytes
            }
            _ => {
                self.long.push((context, bytes.into()));
                LONG | (self.long.len() as Key - 1)
            }
        };
        self.plain.truncate(start);
        key
    }

    /// A vertex that refers to nodes in order.
    fn vertex(&mut self, key: Key, to: &[Node]) -> Node {
        let node = self.n_nodes;
        self.n_nodes += 1;
        self.owned.push((node, key));
        let places = to.iter().zip(LABEL..);
        self.arcs.extend(places.map(|(to, key)| (node, *to, key)));
        node
    }

    /// A vertex that refers to the nodes on the work list from there on.
    fn vertex_from(&mut self, key: Key, first: usize) -> Node {
        let node = self.vertex(key, &[]);
        let places = self.nodes[first..].iter().zip(LABEL..);
        self.arcs.extend(places.map(|(to, key)| (node, *to, key)));
        node
    }

    /// Turns facts into the object.
    fn finish(&mut self, n_points: usize, n_words: usize) {
        if !self.long.is_empty() {
            self.rank_long();
        }
        self.colour(n_points, n_words);
        self.object.reset(n_points);
        let (points, vertices) = self.colours.split_at(n_points);
        for (x, colour) in points.iter().enumerate() {
            self.object.set_colour(x as Point, *colour);
        }
        for colour in vertices {
            self.object.add_vertex(*colour);
        }
        self.keys.clear();
        let keys = self.arcs.iter().map(|(_, _, key)| *key);
        self.keys.extend(keys.filter(|key| !is_label(*key)));
        self.keys.sort_unstable();
        self.keys.dedup();
        for (from, to, key) in &self.arcs {
            let label = match self.keys.binary_search(key) {
                Ok(rank) => RANKED + rank as u32,
                Err(_) => (*key & !LABEL) as u32,
            };
            self.object.add_arc(*from, *to, label);
        }
    }

    /// Numbers long keys by rank.
    fn rank_long(&mut self) {
        let mut order: Vec<usize> = (0..self.long.len()).collect();
        order.sort_by(|a, b| self.long[*a].cmp(&self.long[*b]));
        let mut ranks = vec![0; order.len()];
        let mut sorted: Vec<(u32, Box<[u8]>)> = Vec::new();
        for n in order {
            if sorted.last() != Some(&self.long[n]) {
                sorted.push(self.long[n].clone());
            }
            ranks[n] = LONG | (sorted.len() as Key - 1);
        }
        let owned = self.owned.iter_mut().map(|(_, key)| key);
        let arcs = self.arcs.iter_mut().map(|(_, _, key)| key);
        for key in owned.chain(arcs).filter(|key| **key & LONG != 0) {
            *key = ranks[(*key & !LONG) as usize];
        }
        self.long = sorted;
    }

    /// Gives each node a colour for the data that it owns.
    fn colour(&mut self, n_points: usize, n_words: usize) {
        let n_nodes = self.n_nodes as usize;
        self.owned.sort_unstable();
        self.starts.clear();
        self.starts.resize(n_nodes + 1, 0);
        for (node, _) in &self.owned {
            self.starts[*node as usize + 1] += 1;
        }
        for node in 0..n_nodes {
            self.starts[node + 1] += self.starts[node];
        }
        self.colours.clear();
        if self.owned.is_empty() && n_words == 1 {
            self.colours.extend_from_slice(&self.words);
            return;
        }
        self.colours.resize(n_nodes, 0);
        if self.owned.is_empty() && n_words == 0 {
            return;
        }
        let mut order = std::mem::take(&mut self.order);
        let mut colours = std::mem::take(&mut self.colours);
        order.clear();
        order.extend(0..self.n_nodes);
        let data = |node: Node| self.data(node as usize, n_points, n_words);
        order.sort_unstable_by(|x, y| {
            let ((words, keys), (other_words, other_keys)) = (data(*x), data(*y));
            let keys = || keys.map(|(_, key)| key).cmp(other_keys.map(|(_, key)| key));
            words.cmp(other_words).then_with(keys)
        });
        let same = |x: Node, y: Node| {
            let ((words, keys), (other_words, other_keys)) = (data(x), data(y));
            let mut keys = keys.map(|(_, key)| key);
            words == other_words && keys.by_ref().eq(other_keys.map(|(_, key)| key))
        };
        let mut rank = 0;
        for pair in order.windows(2) {
            rank += u64::from(!same(pair[0], pair[1]));
            colours[pair[1] as usize] = rank;
        }
        self.colours = colours;
        self.order = order;
    }

    /// What a node owns: its bits, and its facts.
    #[inline]
    fn data(
        &self,
        node: usize,
        n_points: usize,
        n_words: usize,
    ) -> (&[u64], std::slice::Iter<'_, (Node, Key)>) {
        let words = if node < n_points {
            &self.words[node * n_words..(node + 1) * n_words]
        } else {
            &[][..]
        };
        let facts = self.starts[node] as usize..self.starts[node + 1] as usize;
        (words, self.owned[facts].iter())
    }

    /// A number for a key that is the same in all states.
    fn hash(&self, key: Key) -> u64 {
        if key & LONG == 0 {
            return mix(key);
        }
        let (context, bytes) = &self.long[(key & !LONG) as usize];
        let start = mix(u64::from(*context) | LONG);
        bytes
            .iter()
            .fold(start, |hash, byte| mix(hash ^ u64::from(*byte)))
    }
}

fn is_label(key: Key) -> bool {
    key & LONG == 0 && key & LABEL != 0
}

/// Reads states that are made of values.
pub struct Reading {
    act: Act,
    picture: Picture,
    published: PublishedPicture,
}

impl Reading {
    /// For the states that `act` moves.
    pub(super) fn new(act: &Act, picture: &Picture, published: &PublishedPicture) -> Reading {
        Reading {
            act: act.clone(),
            picture: picture.clone(),
            published: published.clone(),
        }
    }

    fn draw<'s>(&self, state: &[u8], scratch: &'s mut Scratch) -> &'s Canvas {
        let canvas = scratch.content::<Canvas>();
        self.picture.draw(self.act.points(), state, canvas);
        canvas
    }
}

impl Reads for Reading {
    fn act(&self) -> &dyn Action {
        &self.act
    }

    fn scratch(&self) -> Scratch {
        Scratch::new(Canvas::default())
    }

    fn has_references(&self) -> bool {
        self.picture.refers
    }

    fn object<'s>(&self, state: &[u8], scratch: &'s mut Scratch) -> &'s Object {
        &self.draw(state, scratch).object
    }

    fn ranks(&self, state: &[u8], scratch: &mut Scratch, out: &mut Vec<u32>) {
        let colours = &self.draw(state, scratch).colours[..self.act.degree()];
        let mut sorted = colours.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let rank = |colour: &u64| sorted.partition_point(|other| other < colour) as u32;
        out.clear();
        out.extend(colours.iter().map(rank));
    }

    fn sketch(&self, state: &[u8], scratch: &mut Scratch, out: &mut Sketch) {
        let (canvas, n_words) = (self.draw(state, scratch), self.picture.n_words);
        out.nodes.clear();
        out.nodes.resize(canvas.n_nodes as usize, 0);
        for (x, node) in out.nodes[..self.act.degree()].iter_mut().enumerate() {
            let own = &canvas.words[x * n_words..(x + 1) * n_words];
            *node = own.iter().fold(0, |hash, word| mix(hash ^ word));
        }
        for (node, key) in &canvas.owned {
            let node = &mut out.nodes[*node as usize];
            *node = node.wrapping_add(canvas.hash(*key));
        }
        out.arcs.clear();
        let arcs = canvas.arcs.iter();
        out.arcs
            .extend(arcs.map(|(from, to, key)| (*from, *to, canvas.hash(*key))));
        out.residue.clone_from(&canvas.residue);
    }

    fn published(&self, state: &[u8], numbering: &mut dyn FnMut(&[u8]) -> u32) -> Option<Graph> {
        Some(self.published.draw(self.act.points(), state, numbering))
    }

    fn has_values(&self) -> bool {
        true
    }
}
