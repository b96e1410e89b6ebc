//! Sources as programs.

use crate::files::claims::FileUse;
use crate::files::kind::wrong_kind;
use crate::prelude::*;
use crate::terminal;
use m220_asm::{Assembly, Diagnostics, Disk, Loader, assemble};

/// Assembles the text of a file as it was read; warnings go to standard error.
///
/// # Errors
/// [`Failure::Diagnostics`] with all errors.
pub fn assemble_text(
    source: &Path,
    root: Vec<u8>,
    model: Model,
    include_paths: &[PathBuf],
    session: &Session,
) -> Result<Assembly, Failure> {
    let name =
        source.to_str().ok_or_else(|| Failure::BadInput(format!("{}: the name is not UTF-8", source.display())))?;
    let other = wrong_kind(source, &root, "a source text");
    match assemble(name, &Inputs { session, disk: Disk::new(name, include_paths), name, root }, model) {
        Ok(program) => {
            if !program.warnings.list.is_empty() {
                session.show(&render(&program.warnings));
            }
            Ok(program)
        }
        Err(diagnostics) => {
            if let Some(other) = other {
                return Err(other);
            }
            let count = diagnostics.errors();
            if let Some((unread, lines)) = diagnostics.foreign {
                return Err(Failure::BadInput(format!(
                    "{name}: {unread} of its {lines} lines cannot be read, and none says `origin`: was it written for \
                     another assembler? `m220 asm --help-opcodes` lists the instructions of this one"
                )));
            }
            let more = if diagnostics.left_out > 0 { "more than " } else { "" };
            let errors = counted(count as u64, "error");
            let (drawn, name) = (render(&diagnostics), terminal::printable(name));
            Err(Failure::Diagnostics(format!("{}\n{name}: {more}{errors}, nothing written", drawn.trim_end())))
        }
    }
}

/// Files on disk, each noted as an input of the command: none of its results may replace one.
struct Inputs<'a> {
    session: &'a Session,
    disk: Disk,
    name: &'a str,
    /// The content under that name, already read: a pipe gives it only once.
    root: Vec<u8>,
}

impl Loader for Inputs<'_> {
    fn load(&self, name: &str) -> Result<String, Sentence> {
        if name == self.name {
            return m220_asm::text_of(self.root.clone());
        }
        self.session.claim(Path::new(name), FileUse::Read)?;
        self.disk.load(name)
    }
}

fn render(diagnostics: &Diagnostics) -> String {
    diagnostics.render(terminal::has_colours(&terminal::stderr()))
}
