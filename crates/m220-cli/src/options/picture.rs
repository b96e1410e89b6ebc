//! Where the picture of a result goes.

use crate::options::file_or_stdout;
use crate::prelude::*;
use clap::builder::TypedValueParser;

/// A result as an SVG picture.
#[derive(clap::Args, Debug, Clone, Default)]
pub struct SvgOption {
    /// Draw the result to this file as an SVG picture; - writes it to standard output instead of the result
    #[arg(long, value_name = "FILE", value_parser = file_or_stdout().try_map(for_svg))]
    svg: Option<ResultFile>,
}

/// Refuses the name of another kind of picture, which would not open.
fn for_svg(file: ResultFile) -> Result<ResultFile, String> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "pdf" => {
            Err("the picture is an SVG: expected a name in .svg (rsvg-convert makes a PNG of it)".to_owned())
        }
        _ => Ok(file),
    }
}

impl SvgOption {
    /// Whether a picture is wanted.
    pub fn is_wanted(&self) -> bool {
        self.svg.is_some()
    }

    /// Writes the picture, if one is wanted. Without an answer there is nothing to draw: the file stays as it was.
    ///
    /// # Errors
    /// That of the picture; [`Failure::Output`] if it cannot be written.
    pub fn write(
        &self,
        picture: Option<Result<String, Failure>>,
        session: &Session,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let Some(path) = self.svg.as_deref() else { return Ok(()) };
        if picture.is_none() {
            session.warn(&format!("{}: not drawn: there is no answer", path.display()));
        }
        let drawn = picture.as_ref().and_then(|picture| picture.as_deref().ok());
        if is_standard(path) {
            // Standard output belongs to the picture even if there is none.
            out.instead(drawn.unwrap_or_default().as_bytes())?;
        } else if let Some(drawn) = drawn {
            session.write_file(path, drawn.as_bytes())?;
        }
        picture.transpose().map(drop)
    }
}
