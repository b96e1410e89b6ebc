//! The tables of a machine program that can fill up, and the remedies.

/// A table that is full. Each program declares its own, see [`ChessProgram::TABLES`](crate::ChessProgram::TABLES).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FullTable {
    /// What it is, as in `the machine program's list of moves`.
    pub name: &'static str,
    /// How to make the question small enough.
    pub remedy: Remedy,
}

/// The remedy if a machine program runs out of room. The native reference always works.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Remedy {
    /// A shorter horizon, where attacks are asked for.
    ShorterHorizon,
    /// A smaller share of positions for each first move.
    SmallerShare,
    /// A mate in fewer moves.
    FewerMoves,
    /// Only the native reference.
    NativeReference,
}

impl FullTable {
    /// A table that a shorter horizon makes large enough.
    pub(crate) const fn of_horizon(name: &'static str) -> FullTable {
        FullTable { name, remedy: Remedy::ShorterHorizon }
    }

    /// A program used in place of one of ours did not say which.
    pub const UNNAMED: FullTable =
        FullTable { name: "a table of the machine program", remedy: Remedy::NativeReference };
}
