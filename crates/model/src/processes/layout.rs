//! What each byte of a packed state means.
//!
//! A state is a string of bytes: the record of the globals, then the records of processes and
//! channels in the order in which they came to be. The first byte of a process or channel record
//! is its *tag*, the number of its [`RecordKind`]; since a kind fixes the size, the records of a
//! state are found by walking over it. A process that ends is the latest one (see
//! [`crate::processes::machine`]), so records come and go at the end only.
//!
//! Worked example. Globals `byte turn; bit flag[2]` and a proctype with `short x`, kind 1:
//!
//! ```text
//! offset   0     1       2         3    4   5  6      7    8   9 10
//!          turn  flag[0] flag[1] | tag  pc  x  x    | tag  pc  x  x
//!          7     0       1       | 1    3   5  0    | 1    0   0  0
//! ```
//!
//! The state has 11 bytes, two processes at offsets 3 and 7, and process 0 is at location 3 with
//! `x == 5`. Numbers are little-endian, with the fewest bytes that hold their type; what saves
//! bits within bytes is the store, which sees many states, not this.
//!
//! A channel record is tag, number of messages, then room for its capacity; room that is not used
//! is zero. A rendezvous channel never holds a message between two steps and has no room.

use std::ops::Range;

base::define_id!(KindId, "Which kind of record of a [`Layout`].");
base::define_id!(FieldId, "Which field of a [`RecordKind`].");
base::define_id!(NameSetId, "Which set of names of a [`Layout`].");

/// How a number is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// 0 or 1, in a byte.
    Bit,
    /// 0 to 255.
    U8,
    /// 16 bits with sign.
    I16,
    /// 32 bits with sign.
    I32,
    /// That many bits without sign, 1 to 32, in 1, 2 or 4 bytes.
    Bits(u8),
}

impl Scalar {
    /// How many bytes it takes.
    #[inline]
    pub fn n_bytes(self) -> u32 {
        match self {
            Scalar::Bit | Scalar::U8 => 1,
            Scalar::I16 => 2,
            Scalar::I32 => 4,
            Scalar::Bits(0..=8) => 1,
            Scalar::Bits(9..=16) => 2,
            Scalar::Bits(_) => 4,
        }
    }

    /// What is left of a number when it is stored.
    #[inline]
    pub fn narrow(self, value: i32) -> i32 {
        match self {
            Scalar::Bit => value & 1,
            Scalar::U8 => value & 0xff,
            Scalar::I16 => i32::from(value as i16),
            Scalar::I32 => value,
            Scalar::Bits(n) => value & ((1_i64 << n) - 1) as i32,
        }
    }

    /// The number at `bytes[at..]`.
    #[inline]
    pub fn load(self, bytes: &[u8], at: usize) -> i32 {
        match self.n_bytes() {
            1 => i32::from(bytes[at]),
            2 => {
                let raw = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
                match self {
                    Scalar::I16 => i32::from(raw as i16),
                    _ => i32::from(raw),
                }
            }
            _ => {
                let raw = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
                i32::from_le_bytes(raw)
            }
        }
    }

    /// Stores what is left of `value` at `bytes[at..]`.
    #[inline]
    pub fn store(self, bytes: &mut [u8], at: usize, value: i32) {
        let value = self.narrow(value);
        match self.n_bytes() {
            1 => bytes[at] = value as u8,
            2 => bytes[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes()),
            _ => bytes[at..at + 4].copy_from_slice(&value.to_le_bytes()),
        }
    }
}

/// What a number stands for: how it is shown, and where the search for sorts starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Meaning {
    /// A number.
    Number,
    /// 0 or 1, shown as false or true.
    Truth,
    /// A name; 0 is no name.
    Name(NameSetId),
    /// The number of a process.
    Process,
    /// The number of a channel, from 1; 0 is no channel.
    Channel,
}

/// A number in a state: how it is kept and what it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    /// How it is kept.
    pub scalar: Scalar,
    /// What it stands for.
    pub meaning: Meaning,
}

/// One dimension of a field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dimension {
    /// How many elements.
    pub count: u32,
    /// How many bytes from one element to the next.
    pub stride: u32,
}

/// A variable, or one field of a record variable: a number, or an array of any dimension.
///
/// `typedef P { byte a; bit b[3] }; P p[2]` gives two fields, `p[].a` with one dimension and
/// `p[].b[]` with two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name, with `[]` where an index goes.
    pub name: String,
    /// Where its first element is, from the start of its record.
    pub at: u32,
    /// What each element is.
    pub slot: Slot,
    /// Its dimensions, outermost first.
    pub dimensions: Vec<Dimension>,
    /// Whether the modeller declared it; what is not declared (a counter of ours) is not shown.
    pub declared: bool,
}

impl Field {
    /// How many elements it has.
    pub fn n_elements(&self) -> u32 {
        self.dimensions.iter().map(|d| d.count).product()
    }

    /// The offset and name of each element, in order.
    pub fn elements(&self) -> impl Iterator<Item = (u32, String)> + '_ {
        (0..self.n_elements()).map(|n| self.element(n))
    }

    /// The offset of element `n`, counted with the last index running fastest.
    pub fn element_at(&self, n: u32) -> u32 {
        let (mut at, mut rest) = (self.at, n);
        for d in self.dimensions.iter().rev() {
            at += rest % d.count * d.stride;
            rest /= d.count;
        }
        at
    }

    /// The offset and name of element `n`, counted with the last index running fastest.
    pub fn element(&self, n: u32) -> (u32, String) {
        let mut indices = vec![0; self.dimensions.len()];
        let (mut at, mut rest) = (self.at, n);
        for (index, d) in indices.iter_mut().zip(&self.dimensions).rev() {
            *index = rest % d.count;
            rest /= d.count;
            at += *index * d.stride;
        }
        let mut name = String::new();
        let mut pieces = self.name.split("[]");
        name.push_str(pieces.next().unwrap_or(""));
        for (piece, index) in pieces.zip(indices) {
            name.push_str(&format!("[{index}]{piece}"));
        }
        (at, name)
    }
}

/// What a record is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// The variables of the model: once, at the start, without a tag.
    Globals,
    /// A process.
    Process {
        /// How the location is kept, one byte after the tag.
        location: Scalar,
    },
    /// A channel.
    Channel(Buffer),
}

/// The messages of a channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// How many messages it holds; 0 for a rendezvous.
    pub capacity: u32,
    /// The fields of a message: offset within the message, and what it is.
    pub fields: Vec<(u32, Slot)>,
    /// How many bytes a message takes.
    pub message_size: u32,
}

impl Buffer {
    /// Messages with these fields.
    pub fn new(capacity: u32, slots: &[Slot]) -> Buffer {
        let mut fields = Vec::new();
        let mut at = 0;
        for slot in slots {
            fields.push((at, *slot));
            at += slot.scalar.n_bytes();
        }
        Buffer {
            capacity,
            fields,
            message_size: at,
        }
    }
}

/// A kind of record: its size and the fields in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordKind {
    /// Its name: that of the proctype, or of the variable that holds the channel.
    pub name: String,
    /// What it is.
    pub role: Role,
    /// How many bytes it takes, tag included.
    pub size: u32,
    /// Its fields; those of a channel are in its [`Buffer`].
    pub fields: Vec<Field>,
}

/// Where the messages of a channel record start.
pub const MESSAGES_AT: u32 = 2;

impl RecordKind {
    /// The globals, no field yet.
    pub fn globals() -> RecordKind {
        RecordKind::new("", Role::Globals, 0)
    }

    /// A process with that many locations, no field yet.
    pub fn process(name: &str, n_locations: usize) -> RecordKind {
        let location = match n_locations {
            0..=256 => Scalar::U8,
            257..=65536 => Scalar::Bits(16),
            _ => Scalar::I32,
        };
        let role = Role::Process { location };
        RecordKind::new(name, role, 1 + location.n_bytes())
    }

    /// A channel.
    pub fn channel(name: &str, buffer: Buffer) -> RecordKind {
        let size = MESSAGES_AT + buffer.capacity * buffer.message_size;
        RecordKind::new(name, Role::Channel(buffer), size)
    }

    fn new(name: &str, role: Role, size: u32) -> RecordKind {
        RecordKind {
            name: name.to_string(),
            role,
            size,
            fields: Vec::new(),
        }
    }

    /// Adds a variable that holds a number from 0 to 255.
    pub fn add_byte(&mut self, name: &str) -> FieldId {
        let field = Field {
            name: name.to_owned(),
            at: self.reserve(1),
            slot: Slot {
                scalar: Scalar::U8,
                meaning: Meaning::Number,
            },
            dimensions: Vec::new(),
            declared: true,
        };
        self.add(field)
    }

    /// Adds room of `size` bytes at the end; gives its offset.
    pub fn reserve(&mut self, size: u32) -> u32 {
        let at = self.size;
        self.size += size;
        at
    }

    /// Adds a field that lies in room reserved before.
    pub fn add(&mut self, field: Field) -> FieldId {
        self.fields.push(field);
        FieldId::new(self.fields.len() - 1)
    }
}

/// A set of names, as of an `mtype`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameSet {
    /// The name of number 1, then 2, and so on.
    pub names: Vec<String>,
}

/// What every state of a model looks like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The kinds of records; kind 0 is the globals, a tag is an index into this.
    pub kinds: Vec<RecordKind>,
    /// The sets of names.
    pub name_sets: Vec<NameSet>,
    /// The bytes of the globals that the modeller wants left out of states: they are kept, for they
    /// matter, but counts can be had without them.
    pub hidden: Vec<Range<usize>>,
}

/// The most kinds a layout may have: a tag is a byte.
pub const MAX_KINDS: usize = 256;

impl Layout {
    /// A kind.
    pub fn kind(&self, id: KindId) -> &RecordKind {
        &self.kinds[id.index()]
    }

    /// The globals.
    pub fn globals(&self) -> &RecordKind {
        &self.kinds[0]
    }

    /// The records of a state after the globals: their kind and offset, in order.
    pub fn records<'a>(&'a self, state: &'a [u8]) -> impl Iterator<Item = (KindId, usize)> + 'a {
        let mut at = self.globals().size as usize;
        std::iter::from_fn(move || {
            let tag = *state.get(at)?;
            let found = (KindId::new(usize::from(tag)), at);
            at += self.kinds[usize::from(tag)].size as usize;
            Some(found)
        })
    }
}
