//! Source texts: how they are loaded, and positions within them.

use m220_sentence::{Sentence, sentence};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A range of bytes in a source text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// Index of the file among the [`Sources`].
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// Length in bytes.
    pub len: u32,
}

/// One source text and its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// The name under which it was requested, with `/` between folders.
    pub name: String,
    /// The text, without a byte-order mark.
    pub text: String,
}

/// All texts of one assembly, the root first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    /// The offsets in bytes at which the lines of each file begin.
    lines: Vec<Vec<u32>>,
}

impl Sources {
    /// Adds a text and returns its index.
    pub(crate) fn add(&mut self, name: String, text: String) -> u32 {
        let begins = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        self.lines.push(std::iter::once(0).chain(begins).collect());
        self.files.push(SourceFile { name, text });
        self.files.len() as u32 - 1
    }

    /// The files: the root first, then the others in order of inclusion.
    #[must_use]
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The file that contains a span.
    #[must_use]
    pub fn file(&self, span: Span) -> &SourceFile {
        &self.files[span.file as usize]
    }

    /// The text of a span.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        let end = (span.start + span.len) as usize;
        self.file(span).text.get(span.start as usize..end).unwrap_or("")
    }

    /// Line and column of a span's start, both counted from 1, the column in characters.
    #[must_use]
    pub fn line_and_column(&self, span: Span) -> (usize, usize) {
        let lines = &self.lines[span.file as usize];
        let line = lines.partition_point(|begin| *begin <= span.start);
        let begin = lines.get(line - 1).copied().unwrap_or(0);
        let before = self.file(span).text.get(begin as usize..span.start as usize).unwrap_or("");
        (line, before.chars().count() + 1)
    }

    /// The text of the line in which a span starts, without its line end.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn line(&self, span: Span) -> &str {
        let lines = &self.lines[span.file as usize];
        let next = lines.partition_point(|begin| *begin <= span.start);
        let text = &self.file(span).text;
        let end = lines.get(next).map_or(text.len(), |begin| *begin as usize);
        let begin = lines.get(next - 1).map_or(0, |begin| *begin as usize);
        text.get(begin..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    /// The position of a span as `file:line`.
    #[must_use]
    pub fn place(&self, span: Span) -> String {
        format!("{}:{}", self.file(span).name, self.line_and_column(span).0)
    }
}

/// Loads the texts that the assembler asks for, from disk or from memory.
pub trait Loader {
    /// The text called `name`.
    ///
    /// # Errors
    /// A message that says why the text cannot be loaded.
    fn load(&self, name: &str) -> Result<String, Sentence>;
}

/// Texts in memory, as pairs of name and text.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a>(pub &'a [(&'a str, &'a str)]);

impl Loader for Texts<'_> {
    fn load(&self, name: &str) -> Result<String, Sentence> {
        let found = self.0.iter().find(|(own, _)| *own == name);
        found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| sentence!("there is no text `{name}`", name))
    }
}

/// The largest source file read, in bytes: far more than any program that fits into core needs.
pub const LARGEST_FILE: u64 = 1 << 22;

/// A source on disk and what it may include: files below its own folder, wherever links lead, and below other allowed
/// folders. An untrusted source therefore cannot carry other files of this disk into its image. Names are paths.
#[derive(Clone, Debug)]
pub struct Disk {
    root: String,
    folders: Vec<PathBuf>,
}

impl Disk {
    /// The source `root`, and the folders besides its own below which it may include files.
    #[must_use]
    pub fn new(root: &str, include_paths: &[PathBuf]) -> Disk {
        let folder_of = |path: &Path| match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let path = Path::new(root);
        // The folder of the name, and that of the file if the name is a link.
        let own = [Some(folder_of(path)), path.canonicalize().ok().map(|path| folder_of(&path))];
        // Standard input and descriptors are in no folder of the source's.
        let own = own.into_iter().filter(|folder| !folder.as_ref().is_some_and(|folder| folder.starts_with("/dev")));
        let folders = own.flatten().chain(include_paths.iter().cloned());
        Disk { root: root.to_owned(), folders: folders.filter_map(|folder| folder.canonicalize().ok()).collect() }
    }
}

impl Loader for Disk {
    fn load(&self, name: &str) -> Result<String, Sentence> {
        if name != self.root {
            let path = Path::new(name).canonicalize().map_err(Sentence::of)?;
            if !self.folders.iter().any(|folder| path.starts_with(folder)) {
                return Err("not below the folder of the source; `m220 asm --include-path` allows other folders".into());
            }
        }
        // The file size cannot be relied on: a device reports none, and may never end.
        let mut bytes = Vec::new();
        let file = File::open(Path::new(name)).map_err(Sentence::of)?;
        file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(Sentence::of)?;
        if bytes.len() as u64 > LARGEST_FILE {
            return Err(sentence!("longer than the limit of {size} bytes for a source file", size = LARGEST_FILE));
        }
        text_of(bytes)
    }
}

/// The text of a source file. Its comments may have any encoding: there, bytes that are not UTF-8 come as `\u{fffd}`.
///
/// # Errors
/// The first byte that is not UTF-8, counted from 1, if there is one outside comments.
pub fn text_of(bytes: Vec<u8>) -> Result<String, Sentence> {
    String::from_utf8(bytes).or_else(|error| {
        let mut code =
            error.as_bytes().split(|&byte| byte == b'\n').filter_map(|line| line.split(|&b| b == b';').next());
        match code.all(|code| str::from_utf8(code).is_ok()) {
            true => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
            false => Err(sentence!("byte {byte} is not UTF-8", byte = error.utf8_error().valid_up_to() + 1)),
        }
    })
}

/// The separators in a path. A source names what it includes with `/` on every system.
const SEPARATORS: &[char] = if cfg!(windows) { &['/', '\\'] } else { &['/'] };

/// Resolves `path`, as written in the file `from`, relative to that file's folder; removes `.` and `..`.
pub(crate) fn resolve(from: &str, path: &str) -> String {
    let absolute = path.starts_with('/');
    let folder = if absolute { "" } else { from.rsplit_once(SEPARATORS).map_or("", |(folder, _)| folder) };
    let rooted = absolute || folder.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split(SEPARATORS).chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    format!("{}{}", if rooted { "/" } else { "" }, parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_includes_what_is_below_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        for inner in ["own", "own/part", "other"] {
            std::fs::create_dir(at(inner)).unwrap();
        }
        for name in ["secret", "own/root", "own/part/a", "other/b"] {
            std::fs::write(at(name), "").unwrap();
        }
        let disk = Disk::new(&at("own/root"), &[]);
        assert_eq!(
            [at("own/root"), at("own/part/a")].map(|name| disk.load(&name)),
            [Ok(String::new()), Ok(String::new())]
        );
        let mut outside = vec![at("secret"), at("other/b"), at("own/../secret"), "/etc/hostname".to_owned()];
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("secret"), at("own/link")).unwrap();
            outside.push(at("own/link"));
        }
        for name in outside {
            assert!(disk.load(&name).is_err_and(|error| error.to_string().contains("not below the folder")), "{name}");
        }
        assert!(Disk::new(&at("own/root"), &[at("other").into()]).load(&at("other/b")).is_ok());
    }

    #[test]
    fn included_names() {
        assert_eq!(resolve("main.m220", "lib.m220"), "lib.m220");
        assert_eq!(resolve("a/b/main.m220", "../lib.m220"), "a/lib.m220");
        assert_eq!(resolve("a/main.m220", "../../lib.m220"), "../lib.m220");
        assert_eq!(resolve("/a/main.m220", "./lib.m220"), "/a/lib.m220");
        assert_eq!(resolve("a/main.m220", "/lib.m220"), "/lib.m220");
    }
}
