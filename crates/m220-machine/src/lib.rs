//! An emulator of the M-220, M-20 and ITEP M-20: processor, core, drums, tapes, cards, printer, time.
//!
//! [`Machine`] is the whole machine, [`arithmetic`] the pure functions of its arithmetic unit,
//! [`periphery`] the interface between processor and devices, and [`devices`] the devices themselves.

pub mod arithmetic;
pub mod benchmark;
mod clock;
mod config;
pub mod devices;
mod machine;
mod memory;
mod observer;
pub mod periphery;
mod prepared;
mod processor;
mod register;
mod registers;
mod stop;
mod stopped;
mod threaded;

pub use clock::Clock;
pub use config::{Config, ConfigError, MemoryMode, Model};
pub use machine::{Breakpoint, Checkpoint, Machine, Slice};
pub use observer::{LastStep, Observer, Profile, Share, StepReport};
pub use periphery::{NoDevices, Periphery, UnfittedCube};
pub use prepared::{Prepared, PreparedMachine};
pub use register::Register;
pub use registers::{CubeRegisters, Preparation, Registers};
pub use stop::{Stop, StopReason};
pub use stopped::StoppedFileError;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
