//! The subcommands, one module each.

pub mod analyse;
pub mod asm;
pub mod attacks;
pub mod bench;
pub mod best;
pub mod book;
pub mod console;
pub mod debug;
pub mod diff;
pub mod dis;
pub mod endings;
pub mod map;
pub mod mate;
pub mod plan;
pub mod play;
pub mod positions;
pub mod relations;
pub mod reproduce;
pub mod run;
pub mod shell;
pub mod sync;
pub mod trajectories;
pub mod uci;
