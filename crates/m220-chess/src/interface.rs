//! The interface of a machine program, declared once: the cells that the host writes and those that it reads.

use crate::prelude::*;
use crate::program::{offset_by, room};

/// A cell or a table of a machine program's interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InterfaceCells {
    /// The name in the program's text.
    pub name: &'static str,
    /// Whether the host writes it before a run. The others are only read afterwards.
    pub input: bool,
    /// How many cells there are.
    pub size: Size,
}

impl InterfaceCells {
    /// The cells in a program.
    ///
    /// # Errors
    /// As [`Table::find`].
    pub fn find(&self, program: &MachineProgram) -> Result<Table, ProgramError> {
        Table::find(program, self.name, self.size)
    }
}

/// The size of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// This many cells; 1 for a single cell.
    Cells(u16),
    /// As many as the constant with this name says.
    Constant(&'static str),
    /// All cells up to the end of the cube.
    Rest,
}

/// A table of the interface, found in a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    /// Its first cell.
    pub at: CoreAddress,
    /// How many cells it has; all lie in one cube.
    pub cells: u16,
}

impl Table {
    /// The table with this name.
    ///
    /// # Errors
    /// [`ProgramError`] if there is no such name, or not enough room for the table; [`ProgramError::Unusable`] also if the
    /// program lacks the constant of its size.
    pub fn find(program: &MachineProgram, name: &'static str, size: Size) -> Result<Table, ProgramError> {
        let at = program.cell(name)?;
        let cells = match size {
            Size::Cells(cells) => cells,
            Size::Constant(name) => u16::try_from(program.image().constant(name)?).unwrap_or(u16::MAX),
            Size::Rest => room(at),
        };
        if room(at) < cells {
            let (at, cells) = (at.to_string(), u32::from(cells));
            return Err(sentence!(
                "`{name}` at {at} leaves no room for its {cells} cells before the end of core",
                name,
                at,
                cells
            )
            .into());
        }
        Ok(Table { at, cells })
    }

    /// The cell `offset` cells after the first.
    #[must_use]
    pub fn cell(self, offset: u16) -> CoreAddress {
        offset_by(self.at, offset)
    }
}

/// Declares the cells of an interface: a structure with a field for each, its list, and `find`, which looks all of them
/// up in a program. A name alone is a cell, one with a [`Size`] in brackets a table.
macro_rules! interface {
    ($(#[$doc:meta])* $vis:vis struct $type:ident {
        inputs: $($input:ident $([$input_size:expr])?),*;
        outputs: $($output:ident $([$output_size:expr])?),*;
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[allow(dead_code, reason = "what all programs have is looked up by its name")]
        $vis struct $type {
            $($vis $input: $crate::interface::interface!(@type $($input_size)?),)*
            $($vis $output: $crate::interface::interface!(@type $($output_size)?),)*
        }

        impl $type {
            /// The declared cells.
            $vis const LIST: &[$crate::interface::InterfaceCells] = &[
                $($crate::interface::InterfaceCells {
                    name: stringify!($input),
                    input: true,
                    size: $crate::interface::interface!(@size $($input_size)?),
                },)*
                $($crate::interface::InterfaceCells {
                    name: stringify!($output),
                    input: false,
                    size: $crate::interface::interface!(@size $($output_size)?),
                },)*
            ];

            /// Finds the cells by their names.
            $vis fn find(
                program: &$crate::program::MachineProgram,
            ) -> Result<$type, $crate::program::ProgramError> {
                Ok($type {
                    $($input: $crate::interface::interface!(@find program, $input $(, $input_size)?),)*
                    $($output: $crate::interface::interface!(@find program, $output $(, $output_size)?),)*
                })
            }
        }
    };
    (@type) => { ::m220_isa::CoreAddress };
    (@type $size:expr) => { $crate::interface::Table };
    (@size) => { $crate::interface::Size::Cells(1) };
    (@size $size:expr) => { $size };
    (@find $program:ident, $name:ident) => { $program.cell(stringify!($name))? };
    (@find $program:ident, $name:ident, $size:expr) => {
        $crate::interface::Table::find($program, stringify!($name), $size)?
    };
}
pub(crate) use interface;

/// Declares a machine program: a structure of the program, the cells of its interface in one group or several, and what
/// else of it is found when it is loaded. What [`ChessProgram`](crate::ChessProgram) says of it follows.
macro_rules! chess_program {
    ($(#[$doc:meta])* pub struct $type:ident {
        $($cells:ident: $Cells:ident,)+
        $(.. $other:ident: $Other:ty = |$program:pat_param| $value:expr,)?
    }
    $($says:tt)*) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $type {
            program: $crate::program::MachineProgram,
            $($cells: $Cells,)+
            $($other: $Other,)?
        }

        impl $crate::run::ChessProgram for $type {
            const CELLS: &'static [&'static [$crate::interface::InterfaceCells]] = &[$($Cells::LIST),+];
            $($says)*

            fn new(program: $crate::program::MachineProgram) -> Result<$type, $crate::program::ProgramError> {
                $(let $cells = $Cells::find(&program)?;)+
                $(let $other = { let $program = &program; $value };)?
                Ok($type { program, $($cells,)+ $($other)? })
            }

            fn program(&self) -> &$crate::program::MachineProgram {
                &self.program
            }
        }
    };
}
pub(crate) use chess_program;
