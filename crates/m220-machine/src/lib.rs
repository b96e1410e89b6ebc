//! The M-220, M-20 and ITEP M-20: processor, core, drums, tapes, cards, printer, time.

pub mod periphery;
