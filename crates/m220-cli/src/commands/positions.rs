//! `m220 positions`: the positions that every chess command knows by name.

use crate::prelude::*;
use crate::terminal::diagram;
use chess_reference::gallery::{NamedPosition, PositionsDocument, named_positions};

/// List the positions that --position takes, or show some of them
///
/// Famous positions, mate problems, Fig. 22 and the sixty positions of Botvinnik's book, those in which Bell's program
/// moved (bell-1.1: game 1, move 1), and test cases of the mate search. A command such as `m220 mate --position opera`
/// takes one by its name. The list has one line for each large set; give a text, --all or --format json to see its
/// positions one by one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 positions
  m220 positions opera")]
pub struct Args {
    /// Only positions whose name or title contains this text; an exact name shows that position alone, with its board
    text: Option<String>,
    /// List every position of the large sets too
    #[arg(long)]
    all: bool,
    /// Show the board of each position
    #[arg(long)]
    board: bool,
    /// The output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, _: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let wanted = args.text.as_deref().map(str::to_lowercase);
    let exact = wanted.as_deref().and_then(chess_reference::gallery::named_position);
    let found: Vec<&NamedPosition> = match (&wanted, exact) {
        (_, Some(position)) => vec![position],
        (Some(text), None) => named_positions()
            .iter()
            .filter(|position| position.name.contains(text) || position.title.to_lowercase().contains(text))
            .collect(),
        (None, None) => named_positions().iter().collect(),
    };
    if found.is_empty() {
        return Err(Failure::BadInput(
            "no position has this text in its name or title; m220 positions lists all".to_owned(),
        ));
    }
    match args.format {
        Format::Json => out.json(&PositionsDocument::of(&found, |position| position.title.as_str().into()))?,
        Format::Text => {
            let whole = args.all || args.board || args.text.is_some();
            let entries = entries(&found, whole);
            let width = entries.iter().map(|entry| entry.names.len()).max().unwrap_or(0).min(NAME_WIDTH);
            for PositionEntry { names, title, position } in entries {
                writeln!(out, "{}", wrap::fill(&format!("{names:width$}  {title}"), width + 2))?;
                if let Some(named) = position.filter(|_| args.board || exact.is_some()) {
                    let board = Placement::from_fen(&named.fen).map_err(Failure::wrong)?.board;
                    writeln!(out, "\n{}\n\n{}", named.fen, diagram::small(&board, Color::White, &[]))?;
                    if !named.note.is_empty() {
                        writeln!(out, "{}\n", wrap::fill(&named.note, 0))?;
                    }
                }
            }
            if !whole {
                writeln!(out, "\nm220 positions NAME shows a board, --all lists every position.")?;
            }
        }
    }
    Ok(Exit::Done)
}

/// Columns of the names; a longer one moves its title to the right.
const NAME_WIDTH: usize = 20;

/// A line of the list.
struct PositionEntry<'a> {
    names: String,
    title: String,
    /// `None` for a whole set.
    position: Option<&'a NamedPosition>,
}

/// The lines of the list; unless the whole list is wanted, each set has one.
fn entries<'a>(found: &[&'a NamedPosition], whole: bool) -> Vec<PositionEntry<'a>> {
    let alike = |one: &&NamedPosition, next: &&NamedPosition| !whole && one.set.is_some() && one.set == next.set;
    let entry = |set: &[&'a NamedPosition]| match *set {
        [] => None,
        [named] => Some(PositionEntry { names: named.name.clone(), title: named.title.clone(), position: Some(named) }),
        [first, .., last] => Some(PositionEntry {
            names: format!("{} ... {}", first.name, last.name),
            title: format!("{} {}", set.len(), first.set.unwrap_or_default()),
            position: None,
        }),
    };
    found.chunk_by(alike).filter_map(entry).collect()
}
