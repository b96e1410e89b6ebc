//! Runs a machine program on a chess position and compares it with the native reference.
