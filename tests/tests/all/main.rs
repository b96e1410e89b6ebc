//! The tests that cross crates, as one binary; the conformance files are the other.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "they hold for the command line")]

mod architecture;
mod arithmetic_properties;
mod asm;
mod book_command;
mod border;
/// What takes longest stands at the front of the alphabet, where the test harness begins.
#[path = "."]
mod browser {
    pub mod console;
    pub mod door;
    pub mod web;
}
mod built_in_programs;
mod command;
mod conformance_command;
mod debugger;
mod devices;
mod diff_command;
mod differential_harness;
mod endings_command;
mod endings_machine;
mod example_programs;
mod example_sources;
mod files;
mod first_contact;
mod fixtures;
mod game_command;
mod lessons_command;
mod map_command;
mod map_tree;
mod mate_command;
mod mate_comparison;
mod mate_machine;
mod mate_native;
mod mate_reproduction;
mod pictures;
mod play_command;
mod play_machine;
mod positions;
mod printed_maps;
mod questions;
mod readers;
mod readme;
mod relations_comparison;
mod replay;
mod reproduce_command;
mod run_command;
mod stopping;
mod sync_comparison;
mod trajectories_command;
mod trajectory_comparison;
mod trajectory_definitions;
mod trajectory_program;
mod trajectory_tables;
mod uci;
mod usage;
mod variants_commands;
