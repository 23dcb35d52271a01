use base::{Diagnostic, Diagnostics, SourceId, Sources};
use std::collections::HashSet;
use std::ops::ControlFlow;
use system::passes::{Setting, Watch, apply};
use system::{Machine, Rest, System};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let limit: usize = std::env::var("LIMIT")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(3_000_000);
    for path in &args[1..] {
        let name = path.rsplit('/').next().unwrap_or("");
        let bytes = std::fs::read(path).expect("file");
        let mut sources = Sources::new();
        let main = sources.add(path.as_str(), String::from_utf8_lossy(&bytes).into_owned());
        let mut found = Diagnostics::new();
        let mut include =
            |_: &mut Sources,
             _: &promela::preprocess::IncludeRequest|
             -> Result<SourceId, Diagnostic> { Err(Diagnostic::unlocated("none")) };
        let Some(typed) = promela::check(main, &[], &mut sources, &mut include, &mut found) else {
            println!("{name},ERR");
            continue;
        };
        let options = promela::lower::Options {
            ends: promela::lower::Ends::Step,
            full: promela::lower::FullChannels::Block,
        };
        let Some(model) = promela::lower::lower(&typed, &sources, &options, &mut found) else {
            println!("{name},LOWERERR");
            continue;
        };
        for setting in args[0].chars() {
            let mut model = model.clone();
            match setting {
                'p' => {}
                'd' => system::passes::spin::reset(&mut model),
                's' => apply(&mut model, Setting::Spin, &Watch::default()),
                'b' => apply(&mut model, Setting::Best, &Watch::default()),
                _ => panic!(),
            }
            let machine = Machine::new(model);
            let mut scratch = machine.scratch();
            let mut seen: HashSet<Box<[u8]>> = HashSet::new();
            let mut open: Vec<Box<[u8]>> = Vec::new();
            machine.initial(&mut scratch, &mut |s| {
                if let Ok(s) = s {
                    seen.insert(s.into());
                    open.push(s.into());
                }
            });
            let (mut moves, mut dead, mut faults) = (0u64, 0u64, 0u64);
            let mut kinds = std::collections::BTreeSet::new();
            while let Some(s) = open.pop() {
                if seen.len() > limit {
                    break;
                }
                let rest = machine.successors(&s, &mut scratch, &mut |m| {
                    moves += 1;
                    faults += m.faults.len() as u64;
                    for f in m.faults {
                        kinds.insert(f.1.kind.message());
                    }
                    if let Some(t) = m.state {
                        if !seen.contains(t) {
                            let t: Box<[u8]> = t.into();
                            seen.insert(t.clone());
                            open.push(t);
                        }
                    }
                    ControlFlow::Continue(())
                });
                if rest == Rest::Deadlock {
                    dead += 1;
                }
            }
            let kinds: Vec<&str> = kinds.into_iter().collect();
            println!(
                "{name},{setting},{},{},{},{},{}",
                seen.len(),
                moves + 1,
                u8::from(dead > 0),
                u8::from(faults > 0),
                kinds.join("|")
            );
        }
    }
}
