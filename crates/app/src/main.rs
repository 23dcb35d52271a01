//! The binary `orbit`.

fn main() -> std::process::ExitCode {
    app::orbit()
}
