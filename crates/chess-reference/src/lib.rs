//! Botvinnik's trajectories and map, and Bell's Algorithm 50, natively.

pub mod algorithm50;
