//! `m220 dis`.

use crate::files::kind::is_text;
use crate::files::load::{DeckOptions, LARGEST_PROGRAM, MOST_CUBES, ProgramFile};
use crate::prelude::*;
use m220_asm::disassemble::{self, CellText};
use m220_asm::elf;
use m220_isa::Address;
use m220_isa::card_deck::CardDeck;
use m220_isa::octal_deck::{DEFAULT_ORIGIN, OctalDeck};
use m220_machine::devices::drum::Drum;

/// Disassemble an image or a deck into source text that assembles to the same words
///
/// The words of a drum's file are shown as if they lay in core from cell 00000 on.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 dis program.elf
  m220 dis deck.m20")]
pub struct Args {
    /// An ELF image, an octal deck (.m20), a card deck (.cdr) or the file of a drum, recognised by content
    file: PathBuf,
    /// Write the text to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only these cells, octal, both ends included (repeatable)
    #[arg(long, value_name = "FROM-TO", value_parser = cell_range)]
    cells: Vec<(CoreAddress, CoreAddress)>,
    /// The machine for a deck [default: m220]; an image names its own
    #[arg(long, value_parser = parser::<Model>())]
    model: Option<Model>,
    #[command(flatten)]
    deck: DeckOptions,
    /// The group of a card deck, counted from 1, up to its end card; the first as the button INPUT reads it, from 0001 on
    #[arg(long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    group: Option<usize>,
    /// The output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
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
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let mut image = read(args, session)?;
    if !args.cells.is_empty() {
        let within = |cell: &CoreAddress| args.cells.iter().any(|(from, to)| (from..=to).contains(&cell));
        let words = image.words.iter().filter(|(cell, _)| within(cell)).map(|(cell, word)| (*cell, *word));
        image = disassemble::part(&image, words);
    }
    let mut text = Vec::new();
    match args.format {
        Format::Text => text.extend(disassemble::disassemble(&image).into_bytes()),
        Format::Json => {
            let cell = |text: CellText| {
                json!({
                    // Octal; the first of reserved ones.
                    "cell": text.cell.to_string(),
                    // 1, or the number of reserved cells.
                    "count": text.count,
                    // Null for reserved cells.
                    "word": text.word.map(|word| word.to_string()),
                    // Local ones with a dot in front.
                    "labels": text.labels,
                    "statement": text.statement,
                })
            };
            let document = json!({
                "schema": 1,
                "model": image.model.name(),
                // Octal; null where the image names none.
                "start": image.entry.map(|entry| entry.to_string()),
                // Words and reserved cells, in order.
                "cells": disassemble::cells(&image).into_iter().map(cell).collect::<Vec<_>>(),
            });
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

/// Reads what is to be disassembled. Only an image says which machine it is for; it is refused for another one.
fn read(args: &Args, session: &Session) -> Result<Image, Failure> {
    let path = &args.file;
    let wrong = |reason: String| Failure::BadInput(format!("{}: {reason}", path.display()));
    let model = args.model.unwrap_or_default();
    let no_groups = |kind: &str| match args.group {
        Some(number) => Err(Failure::Usage(format!("--group {number}: {} is {kind}, not a card deck", path.display()))),
        None => Ok(()),
    };
    let bytes = session.read_file(path, LARGEST_PROGRAM)?;
    if elf::is_elf(&bytes) || OctalDeck::parse_overlapping(&bytes).is_ok_and(|deck| !deck.words.is_empty()) {
        let file = ProgramFile::of(path, &bytes, &args.deck, session)?;
        if file.is_image {
            args.deck.refuse_overlay()?;
        }
        no_groups(if file.is_image { "an ELF image" } else { "an octal deck" })?;
        let wanted = args.model.unwrap_or(file.image.model);
        if file.is_image && file.image.model != wanted {
            let reason = format!("an image for the {}, not for the {}", file.image.model.name(), wanted.name());
            return Err(wrong(reason));
        }
        return Ok(Image { model: wanted, ..file.image });
    }
    let image = |words| Image { model, words, ..Image::default() };
    if let Some(deck) = CardDeck::parse(&bytes).ok().filter(|deck| !deck.cards.is_empty()) {
        let groups: Vec<_> = deck.groups().collect();
        let number = args.group.unwrap_or(1);
        let Some(group) = groups.get(number - 1) else {
            let have = counted(groups.len() as u64, "group");
            return Err(wrong(format!("a card deck of {have} with an end card: there is no group {number}")));
        };
        if groups.len() > 1 && args.group.is_none() {
            session.warn(&format!(
                "{}: the first of {} groups of cards; --group N takes another",
                path.display(),
                groups.len()
            ));
        }
        let cells = CardDeck::cells(group, DEFAULT_ORIGIN.into(), model);
        let words: BTreeMap<CoreAddress, _> = cells.collect();
        let most = usize::from(MOST_CUBES) * Address::CELLS;
        if let Some((last, _)) = words.last_key_value().filter(|(cell, _)| cell.index() >= most) {
            return Err(wrong(format!("a word for cell {last}: no machine has more than {MOST_CUBES} cubes of core")));
        }
        return Ok(image(words));
    }
    if let Some(drum) =
        Some(&bytes).filter(|bytes| !is_text(bytes)).and_then(|bytes| Drum::from_bytes(Model::M220, bytes).ok())
    {
        no_groups("the file of a drum")?;
        let words = (0..drum.capacity()).filter_map(|at| Some((CoreAddress::from_index(at).ok()?, drum.read(at)?)));
        return Ok(image(words.collect()));
    }
    // Neither: as an octal deck it has the clearest errors.
    ProgramFile::of(path, &bytes, &args.deck, session)?;
    Err(wrong("no words: expected an ELF image, an octal deck, a card deck, or a drum's file".to_owned()))
}
