//! Chess programs for the M-220: trajectories and attacks, mates, endings, and others, as ELF images and their source
//! texts. `m220_asm::elf::load` reads the images; they name their texts, which are in [`TEXTS`].

include!(concat!(env!("OUT_DIR"), "/images.rs"));

/// The image of a program, by the name of its source without `.m220`.
#[must_use]
pub fn image(name: &str) -> Option<&'static [u8]> {
    IMAGES.iter().find(|(known, _)| *known == name).map(|&(_, image)| image)
}

/// The text of a source file; empty for an unknown name.
#[must_use]
pub fn text(file: &str) -> &'static str {
    TEXTS.iter().find(|(known, _)| *known == file).map_or("", |&(_, text)| text)
}

/// Corrections that the published listing of ITEP's chess program needs to run; the file explains its notation.
pub const ITEP_CHESS_OVERLAY: &str = include_str!("historical/itep-chess.overlay");
