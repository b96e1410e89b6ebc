//! Relations: P. Rău's coding of the board, notation of moves, and evaluation by relations.
//!
//! [lessons]: crate::lessons
//!
#![doc = include_str!("../docs/relations.md")]

mod changes;
mod coding;
mod generator;
mod level;
mod notation;
mod relation;
mod tables;
#[cfg(test)]
mod tests;

pub use changes::{ChangeCount, MOSCOW_STANFORD, ShareOfChange, share_of_change, share_of_game};
pub use coding::{DIRECTIONS, piece_code};
pub use generator::{Exceptions, generated_moves};
pub use level::{Cuts, LevelChoice, NoteLevel, NotedMove, Unfinished, choose, noted_moves, tree_sizes};
pub(crate) use level::{Minimax, MovesMade, Window, over};
pub use notation::{read_rau, write_rau};
pub use relation::{
    Change, DynamicValue, Relation, RelationCounts, RelationKind, Signature, change, counts, relations, signature,
};
pub(crate) use tables::{CENTRE, Type, all_types, type_name};
pub use tables::{MOST_VALUE, Points, Tables};
