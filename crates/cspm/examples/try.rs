use base::{Diagnostics, Sources};
fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8(bytes.clone())
            .unwrap_or_else(|_| bytes.iter().map(|&b| b as char).collect());
        let mut sources = Sources::new();
        let main = sources.add(path.clone(), text);
        let mut found = Diagnostics::new();
        let dir = std::path::Path::new(&path).parent().unwrap().to_owned();
        let base = std::path::Path::new(&path)
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        let mut include = |name: &str| {
            let flat = format!(
                "{}__{}",
                base.rsplit_once("__").map_or("", |x| x.0),
                name.rsplit('/').next().unwrap()
            );
            for f in [
                dir.join(name),
                dir.join(&flat),
                dir.join(flat.replace("should_fail", "should_pass")),
            ] {
                if let Ok(b) = std::fs::read(&f) {
                    return Some((
                        name.to_string(),
                        b.iter().map(|&b| b as char).collect::<String>(),
                    ));
                }
            }
            None
        };
        let script = cspm::read(main, &mut sources, &mut include, &mut found);
        let mut parse_failed = false;
        let mut typed = None;
        match &script {
            Some(s) if !found.has_errors() => {
                typed = cspm::check(s, &mut found);
            }
            _ => parse_failed = true,
        }
        let n = found.n_errors();
        let all = found.sorted();
        let verdict = if parse_failed {
            "PARSE"
        } else if n > 0 {
            "TYPE"
        } else {
            "OK"
        };
        println!("{verdict} {path}");
        if std::env::var("SHOW").is_ok() {
            for d in all {
                println!("{}", base::render(&d, &sources, base::Colour::Never));
            }
            if let Some(t) = typed {
                for d in t.definitions {
                    println!("  {} :: {}", d.name, d.shown);
                }
            }
        }
    }
}
