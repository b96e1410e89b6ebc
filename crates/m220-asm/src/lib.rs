//! Assembler, disassembler, listing and ELF images for the M-220.
