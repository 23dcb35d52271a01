//! The names that the language brings: which there are, what they take, and when they are seen.
//!
//! Compressions and the like are seen only where a script says `transparent` or `external`; all
//! others always, unless the script defines the name itself.

use crate::process::Compression;
use crate::value::BuiltIn;

/// A function of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuiltinFunction {
    pub name: &'static str,
    /// How many arguments it takes.
    pub n_arguments: usize,
    /// Whether it has to be named by `transparent` or `external`.
    pub is_declared: bool,
    /// What it does.
    pub op: Op,
}

/// What a function of the language does; the words are the names in the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Union,
    Inter,
    Diff,
    Unions,
    Inters,
    Member,
    Card,
    Empty,
    SetOf,
    SeqOf,
    Subsets,
    Sequences,
    Length,
    Null,
    Head,
    Tail,
    Concat,
    Elem,
    MapFromList,
    MapLookup,
    MapMember,
    MapToList,
    MapUpdate,
    MapUpdateMultiple,
    MapDelete,
    Maps,
    Show,
    Error,
    Extensions,
    Productions,
    Transpose,
    RelationalImage,
    RelationalInverseImage,
    Transclose,
    Chaos,
    Run,
    Loop,
    Buffer,
    Compress(Compression),
    Wait,
    TimedStop,
    TimedSkip,
    /// Known to the language, not to this program.
    Missing(&'static str),
}

const fn always(name: &'static str, n_arguments: usize, op: Op) -> BuiltinFunction {
    BuiltinFunction {
        name,
        n_arguments,
        is_declared: false,
        op,
    }
}

const fn declared(name: &'static str, n_arguments: usize, op: Op) -> BuiltinFunction {
    BuiltinFunction {
        name,
        n_arguments,
        is_declared: true,
        op,
    }
}

const PRIORITY: &str = "priority is not supported";
const WATCHDOG: &str = "watchdogs are not supported";

/// All functions of the language.
pub const TABLE: &[BuiltinFunction] = &[
    always("union", 2, Op::Union),
    always("inter", 2, Op::Inter),
    always("diff", 2, Op::Diff),
    always("Union", 1, Op::Unions),
    always("Inter", 1, Op::Inters),
    always("member", 2, Op::Member),
    always("card", 1, Op::Card),
    always("empty", 1, Op::Empty),
    always("set", 1, Op::SetOf),
    always("seq", 1, Op::SeqOf),
    always("Set", 1, Op::Subsets),
    always("Seq", 1, Op::Sequences),
    always("length", 1, Op::Length),
    always("null", 1, Op::Null),
    always("head", 1, Op::Head),
    always("tail", 1, Op::Tail),
    always("concat", 1, Op::Concat),
    always("elem", 2, Op::Elem),
    always("mapFromList", 1, Op::MapFromList),
    always("mapLookup", 2, Op::MapLookup),
    always("mapMember", 2, Op::MapMember),
    always("mapToList", 1, Op::MapToList),
    always("mapUpdate", 3, Op::MapUpdate),
    always("mapUpdateMultiple", 2, Op::MapUpdateMultiple),
    always("mapDelete", 2, Op::MapDelete),
    always("Map", 2, Op::Maps),
    always("show", 1, Op::Show),
    always("error", 1, Op::Error),
    always("extensions", 1, Op::Extensions),
    always("productions", 1, Op::Productions),
    always("CHAOS", 1, Op::Chaos),
    always("RUN", 1, Op::Run),
    always("BUFFER", 2, Op::Buffer),
    always(
        "WEAK_BUFFER",
        3,
        Op::Missing("buffers that signal are not supported"),
    ),
    always(
        "SIGNAL_BUFFER",
        4,
        Op::Missing("buffers that signal are not supported"),
    ),
    declared("transpose", 1, Op::Transpose),
    declared("relational_image", 1, Op::RelationalImage),
    declared("relational_inverse_image", 1, Op::RelationalInverseImage),
    declared("mtransclose", 2, Op::Transclose),
    declared("loop", 1, Op::Loop),
    declared("normal", 1, Op::Compress(Compression::Normal)),
    declared("normalise", 1, Op::Compress(Compression::Normal)),
    declared("lazynorm", 1, Op::Compress(Compression::Identity)),
    declared("explicate", 1, Op::Compress(Compression::Explicate)),
    declared("lazyenumerate", 1, Op::Compress(Compression::Identity)),
    declared("sbisim", 1, Op::Compress(Compression::Strong)),
    declared("wbisim", 1, Op::Compress(Compression::Weak)),
    declared("dbisim", 1, Op::Compress(Compression::Delay)),
    declared("diamond", 1, Op::Compress(Compression::Diamond)),
    declared("tau_loop_factor", 1, Op::Compress(Compression::TauLoops)),
    declared("model_compress", 1, Op::Compress(Compression::Identity)),
    declared("chase", 1, Op::Compress(Compression::Chase)),
    declared("chase_nocache", 1, Op::Compress(Compression::Chase)),
    declared(
        "deter",
        1,
        Op::Missing("making a process deterministic is not supported"),
    ),
    declared("prioritise", 2, Op::Missing(PRIORITY)),
    declared("prioritise_nocache", 2, Op::Missing(PRIORITY)),
    declared("prioritisepo", 4, Op::Missing(PRIORITY)),
    declared("failure_watchdog", 3, Op::Missing(WATCHDOG)),
    declared("trace_watchdog", 3, Op::Missing(WATCHDOG)),
    always("timed_priority", 1, Op::Missing(PRIORITY)),
    // These take `tock` first; the names are such that no script can write them.
    always("%WAIT", 2, Op::Wait),
    always("%TSTOP", 1, Op::TimedStop),
    always("%TSKIP", 1, Op::TimedSkip),
];

/// The function with this name, among those that are always seen or those that are declared.
pub fn find(name: &str, is_declared: bool) -> Option<BuiltIn> {
    let mut entries = TABLE.iter().enumerate();
    let found = entries.find(|(_, e)| e.name == name && e.is_declared == is_declared);
    found.map(|(i, _)| BuiltIn(i as u16))
}

/// What is known of a function.
pub fn entry(which: BuiltIn) -> &'static BuiltinFunction {
    &TABLE[which.0 as usize]
}

impl Op {
    /// Whether it gives a process.
    pub fn is_process(self) -> bool {
        matches!(
            self,
            Op::Chaos
                | Op::Run
                | Op::Loop
                | Op::Buffer
                | Op::Compress(_)
                | Op::Wait
                | Op::TimedStop
                | Op::TimedSkip
        )
    }
}
