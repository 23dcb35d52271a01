//! What the flags say of a model, whatever its language.

use crate::flags::{ModelFlags, SizeFlags};
use crate::watchdog;
use base::{Clock, Diagnostic, Diagnostics, quote};
use driver::load::Request;
use driver::open::OpenTexts;
use model::frontend::{Frontend, Options, Reading, Rules};

/// Whether several rules may say what a step of a language is.
pub fn has_rules(language: &dyn Frontend) -> bool {
    language.flags(Reading::Run).contains(&"--plain")
}

/// What the flags that all commands share say of the model.
pub fn options(flags: &ModelFlags, sizes: &SizeFlags) -> Options {
    Options {
        defines: flags.define.clone(),
        undefines: flags.undefine.clone(),
        rules: rules(flags),
        set_sizes: sizes.set_size.clone(),
        default_set_size: sizes.default_set_size,
        maxint: sizes.maxint,
        minint: sizes.minint,
        stack_bytes: watchdog::stack_bytes(),
        ..Options::default()
    }
}

/// Whose rules were asked for.
fn rules(flags: &ModelFlags) -> Rules {
    match (flags.plain, flags.spin_compat) {
        (true, _) => Rules::Plain,
        (_, true) => Rules::SpinCompat,
        _ => Rules::Own,
    }
}

/// What is to be loaded, or `None` if `found` says that nothing was named.
pub fn request<'f>(
    flags: &'f ModelFlags,
    options: &'f Options,
    clock: Clock<'static>,
    found: &mut Diagnostics,
) -> Option<Request<'f>> {
    let Some(file) = &flags.file else {
        found.push(no_model(flags));
        return None;
    };
    Some(Request {
        file,
        folders: &flags.include,
        open: OpenTexts::none(),
        options,
        clock,
    })
}

/// Says that no model is given.
fn no_model(flags: &ModelFlags) -> Diagnostic {
    let error = Diagnostic::unlocated("no model is given");
    match flags.include.iter().find(|path| path.is_file()) {
        Some(path) => error.note(format!(
            "{} was taken for the folder of `-I DIR`; pan's `-I` is not needed, because error \
             runs are shortest already",
            quote(&path.display().to_string())
        )),
        None => error.note("type `orbit check FILE`, or `-` for standard input"),
    }
}
