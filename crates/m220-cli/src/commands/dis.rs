//! `m220 dis`.

use crate::files::load::ProgramFile;
use crate::options::{Format, models};
use crate::session::Session;
use crate::session::exit::{Exit, Failure};
use crate::terminal::Output;
use m220_asm::Image;
use m220_asm::disassemble::{self, CellText};
use m220_isa::{CoreAddress, Model};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Disassemble an image or a deck into source text that assembles to the same words
#[derive(clap::Args)]
pub struct Args {
    /// An ELF image or an octal deck (.m20), recognised by content
    file: PathBuf,
    /// Write the text to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only these cells, octal, both ends included (repeatable)
    #[arg(long, value_name = "FROM-TO", value_parser = cell_range)]
    cells: Vec<(CoreAddress, CoreAddress)>,
    /// The machine for a deck [default: m220]; an image names its own
    #[arg(long, value_parser = models())]
    model: Option<Model>,
    /// Accept an octal deck that gives a cell more than once: the last word counts
    #[arg(long)]
    allow_overlap: bool,
    /// The output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A disassembly, `--format json`.
#[derive(Serialize)]
struct Disassembly {
    /// Version of this structure.
    schema: u32,
    /// The machine: `m220`, `m20` or `itep`.
    model: &'static str,
    /// Start cell in octal; null where the image names none.
    start: Option<String>,
    /// Words and reserved cells, in order.
    cells: Vec<Cell>,
}

#[derive(Serialize)]
struct Cell {
    /// The cell, octal; the first of reserved ones.
    cell: String,
    /// 1, or the number of reserved cells.
    count: usize,
    /// 15 octal digits; null for reserved cells.
    word: Option<String>,
    /// Labels, local ones with a dot in front.
    labels: Vec<String>,
    /// The source statement.
    statement: String,
}

impl From<CellText> for Cell {
    fn from(text: CellText) -> Cell {
        Cell {
            cell: text.cell.to_string(),
            count: text.count,
            word: text.word.map(|word| word.to_string()),
            labels: text.labels,
            statement: text.statement,
        }
    }
}

/// A range of cells `FROM-TO` within one cube.
fn cell_range(text: &str) -> Result<(CoreAddress, CoreAddress), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let cell = |text: &str| text.parse::<CoreAddress>().map_err(|error| error.to_string());
    let (from, to) = (cell(from)?, cell(to)?);
    if from > to || from.cube() != to.cube() {
        return Err(format!("{from} to {to} is not a range within one cube: expected for instance 0100-0177"));
    }
    Ok((from, to))
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let session = &out.session().clone();
    let mut image = read_program(&args.file, args.model, args.allow_overlap, session)?;
    if !args.cells.is_empty() {
        let within = |cell: &CoreAddress| args.cells.iter().any(|(from, to)| (from..=to).contains(&cell));
        let words = image.words.iter().filter(|(cell, _)| within(cell)).map(|(cell, word)| (*cell, *word));
        image = disassemble::part(&image, words);
    }
    let mut text = Vec::new();
    match args.format {
        Format::Text => text.extend(disassemble::disassemble(&image).into_bytes()),
        Format::Json => {
            let document = Disassembly {
                schema: 1,
                model: image.model.name(),
                start: image.entry.map(|entry| entry.to_string()),
                cells: disassemble::cells(&image).into_iter().map(Cell::from).collect(),
            };
            text.extend(serde_json::to_vec_pretty(&document).map_err(std::io::Error::from)?);
            text.push(b'\n');
        }
    }
    match &args.output {
        Some(path) => session.write_file(path, &text)?,
        None => out.write_all(&text)?,
    }
    Ok(Exit::Done)
}

/// Reads an image or a deck. A deck does not say which machine it is for; an image for a machine other than `model` is
/// refused.
pub(crate) fn read_program(
    path: &Path,
    model: Option<Model>,
    allow_overlap: bool,
    session: &Session,
) -> Result<Image, Failure> {
    let file = ProgramFile::read(path, allow_overlap, session)?;
    let wrong = |reason: String| Failure::BadInput(format!("{}: {reason}", path.display()));
    let wanted = model.unwrap_or(file.image.model);
    if file.is_image() && file.image.model != wanted {
        let reason = format!("an image for the {}, not for the {}", file.image.model.name(), wanted.name());
        return Err(wrong(reason));
    }
    if file.image.words.is_empty() && !file.is_image() {
        return Err(wrong("no words: expected an ELF image or an octal deck".to_owned()));
    }
    Ok(Image { model: wanted, ..file.image })
}
