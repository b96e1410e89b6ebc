//! The tests that cross crates, as one binary; the conformance files are the other.

mod arithmetic_properties;
mod asm;
mod chess_commands;
mod command;
mod debugger;
mod devices;
mod differential_harness;
mod example_programs;
mod example_sources;
mod files;
mod map_command;
mod mate_command;
mod mate_comparison;
mod mate_machine;
mod mate_native;
mod mate_reproduction;
mod readme;
mod relations_comparison;
mod replay;
mod run_command;
mod sync_comparison;
mod trajectory_comparison;
mod trajectory_definitions;
mod trajectory_program;
mod trajectory_tables;
mod variants_commands;
