//! The machine against known answers, and its two engines against each other.

mod corpora;
mod known_answers;
mod random_programs;
