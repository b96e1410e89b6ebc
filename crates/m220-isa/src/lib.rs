//! Words, addresses, the opcode table, text code and deck formats of the M-220.
