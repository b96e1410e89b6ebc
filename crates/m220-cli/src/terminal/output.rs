//! Where a command writes its result.

use super::{Patient, Printable};
use crate::prelude::*;
use serde::ser::{SerializeMap, Serializer};
use std::cell::{Cell, RefCell};
use std::io::{self, BufWriter};
use std::rc::Rc;

/// A list that is written as it is found.
struct AsFound<I>(Cell<Option<I>>);

impl<I: Iterator<Item: Serialize>> Serialize for AsFound<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}

/// Where a command writes its result. It is text for people: unprintable characters are escaped.
pub struct Output {
    to: BufWriter<Box<dyn Write>>,
    session: Session,
}

impl Output {
    /// Standard output.
    ///
    /// # Errors
    /// [`Failure::Usage`] if it is the same file as standard input.
    pub fn stdout(session: &Session) -> Result<Output, Failure> {
        session.claim_standard_streams()?;
        Ok(Output::to(Box::new(Patient::new(super::stdout(), session)), session))
    }

    /// Standard error, for what is told beside the result.
    #[must_use]
    pub fn stderr(session: &Session) -> Output {
        Output::to(Box::new(super::stderr()), session)
    }

    /// Another place.
    #[must_use]
    pub fn to(writer: Box<dyn Write>, session: &Session) -> Output {
        Output { to: BufWriter::new(writer), session: session.clone() }
    }

    /// Writes one JSON document, indented, with a line end.
    ///
    /// # Errors
    /// [`Failure::Stdout`] when it cannot be written.
    pub fn json<T: Serialize>(&mut self, document: &T) -> Result<(), Failure> {
        self.session.end_progress();
        let mut to = Printable::json(&mut self.to);
        serde_json::to_writer_pretty(&mut to, document).map_err(io::Error::from)?;
        writeln!(to)?;
        Ok(())
    }

    /// Writes one JSON document as [`Output::json`] does, with a long list that is written as it is found: the members
    /// of `head`, the list, and those of `tail`, which is asked for when the list has ended.
    ///
    /// # Errors
    /// [`Failure::Stdout`] when it cannot be written, and what `tail` fails with.
    pub fn json_of_list<T: Serialize>(
        &mut self,
        head: &Value,
        list: &str,
        items: impl Iterator<Item = T>,
        tail: impl FnOnce() -> Result<Value, Failure>,
    ) -> Result<(), Failure> {
        self.session.end_progress();
        let mut to = Printable::json(&mut self.to);
        let mut serializer = serde_json::Serializer::pretty(&mut to);
        let mut document = serializer.serialize_map(None).map_err(io::Error::from)?;
        for (name, value) in head.as_object().into_iter().flatten() {
            document.serialize_entry(name, value).map_err(io::Error::from)?;
        }
        document.serialize_entry(list, &AsFound(Cell::new(Some(items)))).map_err(io::Error::from)?;
        for (name, value) in tail()?.as_object().into_iter().flatten() {
            document.serialize_entry(name, value).map_err(io::Error::from)?;
        }
        document.end().map_err(io::Error::from)?;
        Ok(writeln!(to)?)
    }

    /// A writer for our own diagrams, which have colours.
    pub fn styled(&mut self) -> Printable<&mut impl Write> {
        self.session.end_progress();
        Printable::styled(&mut self.to)
    }

    /// Writes the content of a file, byte for byte.
    ///
    /// # Errors
    /// [`Failure::Stdout`] when it cannot be written.
    pub fn file(&mut self, content: &[u8]) -> Result<(), Failure> {
        self.session.end_progress();
        Ok(self.to.write_all(content)?)
    }

    /// Writes this file in place of the result: further output is dropped.
    ///
    /// # Errors
    /// [`Failure::Stdout`] when it cannot be written.
    pub fn instead(&mut self, content: &[u8]) -> Result<(), Failure> {
        self.file(content)?;
        self.to.flush()?;
        self.to = BufWriter::new(Box::new(io::sink()));
        Ok(())
    }
}

/// A result that is kept in memory.
#[derive(Clone, Default)]
pub struct Kept(Rc<RefCell<Vec<u8>>>);

impl Kept {
    /// What was written.
    pub fn take(&self) -> Vec<u8> {
        self.0.take()
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.session.end_progress();
        Printable::text(&mut self.to).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
