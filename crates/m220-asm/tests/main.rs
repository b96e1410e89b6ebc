//! The assembler on whole sources, on damaged files and on arbitrary text.

mod corpora;
mod elf;
mod gallery;
mod hostile;
mod listing;
mod macros;
mod round_trip;
