//! The references against the book, other programs and independent libraries.

mod bell_player;
mod book_figures;
mod choice;
mod confirmation;
mod endings;
mod experiment;
mod known_counts;
mod map;
mod move_generator;
mod positions;
mod properties;
mod single_tasks;
