//! A conformance suite for emulators of the M-220 and M-20: its cases, their export, and a driver of
//! foreign emulators.
//!
//! The cases stand as text in `cases` ([`mod@text`]), one machine and one Omega each when [written out](vector), and are
//! [exported](export) as [JSON](mod@json). An [`Emulator`] answers them: our own, or any other over a [line protocol](protocol).

pub mod emulator;
pub mod export;
pub mod foreign;
pub mod json;
pub mod lines;
pub mod protocol;
pub mod specification;
pub mod table;
pub mod text;
pub mod vector;

pub use emulator::Emulator;
pub use vector::Vector;

/// The case files that belong to the suite: their names without `.txt`, and their texts.
pub static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/cases.rs"));

/// All cases of the suite, written out.
///
/// # Errors
/// The first malformed line.
pub fn suite() -> Result<Vec<Vector>, lines::CaseError> {
    let mut all = Vec::new();
    for (name, text) in FILES {
        all.extend(vector::written_out(name, &text::parse(&format!("{name}.txt"), text)?));
    }
    Ok(all)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
