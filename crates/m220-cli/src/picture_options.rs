//! Where the picture of a result goes, and the board in the terminal.

use crate::exit::Failure;
use crate::messages::warn;
use crate::output::{Output, ResultFile, file_or_stdout, write_files};
use chess_reference::Attack;
use shakmaty::{Board, Color, Square};
use std::path::Path;

/// A result as an SVG picture.
#[derive(clap::Args, Debug, Clone)]
pub struct SvgOption {
    /// Draw the result to this file as an SVG picture; - writes it to standard output instead of the result
    #[arg(long, value_name = "FILE", value_parser = file_or_stdout())]
    svg: Option<ResultFile>,
}

impl SvgOption {
    /// Whether a picture is wanted.
    pub fn is_wanted(&self) -> bool {
        self.svg.is_some()
    }

    /// The file, unless the picture goes to standard output.
    pub fn file(&self) -> Option<&Path> {
        self.svg.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Writes the picture, if one is wanted. Without an answer there is nothing to draw: the file stays as it was.
    ///
    /// # Errors
    /// [`Failure::Output`] if it cannot be written.
    pub fn write(&self, answered: bool, out: &mut Output, draw: impl FnOnce() -> String) -> Result<(), Failure> {
        let Some(path) = &self.svg else { return Ok(()) };
        if !answered {
            warn(&format!("{}: not drawn: there is no answer", path.display()));
        }
        match self.file() {
            Some(_) if !answered => Ok(()),
            None if !answered => out.instead(&[]),
            _ => self.write_with(&[], out, || Ok(draw())),
        }
    }

    /// Writes a picture that may be too large to draw, and other files with it: all of them or none.
    ///
    /// # Errors
    /// As [`SvgOption::write`], and those of `draw`.
    pub fn write_with(
        &self,
        others: &[(&Path, &[u8])],
        out: &mut Output,
        draw: impl FnOnce() -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        let drawn = self.is_wanted().then(draw).transpose();
        if self.is_wanted() && self.file().is_none() {
            // Standard output belongs to the picture even if there is none.
            let picture = drawn.as_ref().ok().and_then(Option::as_deref).unwrap_or_default();
            out.instead(picture.as_bytes())?;
        }
        let drawn = drawn?;
        let own = self.file().zip(drawn.as_deref()).map(|(path, picture)| (path, picture.as_bytes()));
        write_files(&own.into_iter().chain(others.iter().copied()).collect::<Vec<_>>())
    }
}

/// Pictures of a result.
#[derive(clap::Args, Debug, Clone)]
#[command(group = clap::ArgGroup::new("shown").args(["svg", "board"]).multiple(true))]
pub struct PictureOptions {
    #[command(flatten)]
    pub svg: SvgOption,
    /// Show the board in the terminal (with --format text)
    #[arg(long)]
    pub board: bool,
    /// Show the board from Black's side
    #[arg(long, requires = "shown")]
    pub flip: bool,
}

impl PictureOptions {
    /// The side at the bottom of a board.
    pub fn below(&self) -> Color {
        Color::from_black(self.flip)
    }
}

fn listed(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(", ")
}

/// Which attacks a picture shows.
#[derive(clap::Args, Debug, Clone)]
pub struct AttackerOption {
    /// Draw only the attacks of the pieces on these squares (with --svg): e5, or e5,g3
    #[arg(long, value_name = "SQUARES", requires = "svg", value_delimiter = ',')]
    svg_from: Vec<Square>,
}

impl AttackerOption {
    /// Whether the attacks of the piece on this square are drawn.
    pub fn shows(&self, from: Square) -> bool {
        self.svg_from.is_empty() || self.svg_from.contains(&from)
    }

    /// Checks that a piece stands on each of the squares.
    ///
    /// # Errors
    /// [`Failure::Usage`] with the first empty square.
    pub fn check(&self, board: &Board) -> Result<(), Failure> {
        match self.svg_from.iter().find(|&&square| board.piece_at(square).is_none()) {
            Some(square) => Err(Failure::Usage(format!("--svg-from {square}: no piece stands there"))),
            None => Ok(()),
        }
    }

    /// ` from e5, g3` for the heading of a picture; empty if all attacks are drawn.
    pub fn words(&self) -> String {
        if self.svg_from.is_empty() { String::new() } else { format!(" from {}", listed(&self.svg_from)) }
    }

    /// What is missing from the picture: pieces without an attack within the horizon, or the whole board.
    pub fn missing(&self, attacks: &[&Attack]) -> String {
        let without: Vec<Square> = self
            .svg_from
            .iter()
            .copied()
            .filter(|&square| attacks.iter().all(|attack| attack.from != square))
            .collect();
        match without.as_slice() {
            [] if attacks.is_empty() => "No attack lies within the horizon.".to_owned(),
            [] => String::new(),
            squares => format!("No attack within the horizon starts from {}.", listed(squares)),
        }
    }
}
