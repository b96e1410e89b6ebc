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

/// Comments of the programs and the same in Russian: those that the page's listing shows first.
pub fn comments_in_russian() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("comments-ru.txt").split("\n\n").skip(1).filter_map(|pair| pair.trim_end().split_once('\n'))
}

/// Corrections that the published listing of ITEP's chess program needs to run; the file explains its notation.
pub const ITEP_CHESS_OVERLAY: &str = include_str!("historical/itep-chess.overlay");

#[cfg(test)]
mod tests {
    /// No comment is translated that stands nowhere, and each has its translation below it.
    #[test]
    fn translated_comments_stand_in_the_programs() {
        let mut count = 0;
        for (english, russian) in super::comments_in_russian() {
            let stands =
                super::TEXTS.iter().any(|(_, text)| text.lines().any(|line| line.trim_end().ends_with(english)));
            assert!(stands && russian.starts_with(';') && !russian.contains('\n'), "{english}");
            count += 1;
        }
        assert!(count > 200, "{count}");
    }
}
