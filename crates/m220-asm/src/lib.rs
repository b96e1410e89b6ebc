//! Assembler, disassembler, listing and ELF images for the M-220.
//!
//! ```
//! use m220_asm::assemble_text;
//! use m220_isa::Model;
//!
//! let program = assemble_text("sum.m220", "origin 0100\nstart begin\nbegin: ADD 0200, 0201, 0202\n STOP\n", Model::M220)?;
//! assert_eq!(program.image.cell("begin")?.to_string(), "0100");
//! assert_eq!(program.image.words.values().next().unwrap().grouped(), "0 01 0200 0201 0202");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [tutorial]: tutorial
//!
#![doc = include_str!("../docs/language.md")]

mod assemble;
pub mod deck;
mod diagnostic;
pub mod disassemble;
#[cfg(not(target_family = "wasm"))]
mod drawn;
pub mod elf;
mod expression;
mod image;
mod listing;
mod parse;
mod prelude;
mod source;
mod spelling;
mod statement;

/// [language]: crate
#[doc = include_str!("../docs/tutorial.md")]
pub mod tutorial {}

pub use assemble::{Assembly, CUBES, assemble, assemble_text};
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use image::{CellKind, CellRun, Image, Place, Symbol, SymbolKind, cells, last_cell};
pub use listing::visible;
pub use source::{Disk, LARGEST_FILE, Loader, SourceFile, Sources, Span, Texts, text_of};
pub use spelling::constant_text;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
