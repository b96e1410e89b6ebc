//! The common part of all case files: lines with comments, and errors with file and line.

use std::path::PathBuf;

/// The non-empty lines, numbered from 1; `#` begins a comment.
pub fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bare = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    (1..).zip(bare).filter(|(_, line)| !line.is_empty())
}

/// An error in a case file, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{} {message}", .file.display(), .line.map_or(String::new(), |line| format!("{line}:")))]
pub struct CaseError {
    /// The file, or the folder when it has no files.
    pub file: PathBuf,
    /// The line, from 1; `None` if the error is not in one line.
    pub line: Option<usize>,
    /// What is wrong, with the offending text.
    pub message: String,
}
