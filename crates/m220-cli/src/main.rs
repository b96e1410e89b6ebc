//! The binary `m220`.

fn main() -> std::process::ExitCode {
    m220_cli::main()
}
