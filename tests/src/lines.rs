//! What all case files have in common: lines with comments, and a fault that names file and line.

use std::fmt;
use std::path::PathBuf;

/// The lines that say something, with their numbers from 1: `#` begins a comment.
pub fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bare = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    (1..).zip(bare).filter(|(_, line)| !line.is_empty())
}

/// What is wrong with a case file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseError {
    /// The file, or the folder when it has no files.
    pub file: PathBuf,
    /// The line, from 1; nothing when the fault is not in one line.
    pub line: Option<usize>,
    /// What is wrong, with the offending text.
    pub message: String,
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.message)
    }
}

impl std::error::Error for CaseError {}
