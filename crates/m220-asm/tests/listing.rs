//! Listings of programs that use each part of the language, as snapshots small enough to read.

use m220_asm::{Assembly, Texts, assemble};
use m220_isa::Model;

fn program(texts: &[(&str, &str)]) -> Assembly {
    let program = assemble(texts[0].0, &Texts(texts), Model::M220);
    program.unwrap_or_else(|told| panic!("{}", told.render(false)))
}

/// Labels, constants, reserved cells, several words on a line.
#[test]
fn a_listing_shows_cells_words_lines_names_and_sections() {
    let text = "\
; the sum of a table
        origin  0100
        start   begin
        export  sum
count = 3

begin:  SETR    0, 0
.next:  ADD     sum, table[RA], sum
        JL      count-1, .next, 1[RA]
        STOP

        origin  0200
table:  number  1, -2.5, 3e2
sum:    reserve 1
title:  text    \"СУММА ТАБЛ\"
        origin  20300
far:    fields  code 16 table, far[RA], title
";
    insta::assert_snapshot!(program(&[("sum.m220", text)]).listing());
}

/// Control characters in a comment do not reach the terminal.
#[test]
fn signs_that_a_terminal_obeys_are_written_out() {
    let listing = program(&[("sum.m220", " origin 0100\n start .\n STOP\t; \u{1b}[2J\u{9b}\u{7}\n")]).listing();
    assert!(listing.contains(" STOP\t; \\u{1b}[2J\\u{9b}\\u{7}\n"), "{listing}");
    assert!(listing.contains("1: 1 instruction\n"), "{listing}");
}

/// Copies are marked, and references name the file.
#[test]
fn copies_and_included_files_are_seen_in_the_listing() {
    let main = "\
        origin  0100
        start   begin
begin:  repeat  2
        ADD     one, one, one
        repeat  2
        octal   0 00 0000 0000 0000
        end
        end
        include \"lib/tail.m220\"
        JMP     0, begin
";
    let tail = "; shared\none:    number  1\n        include \"../end.m220\"\n";
    let end = "        STOP\n";
    let texts = [("main.m220", main), ("lib/tail.m220", tail), ("end.m220", end)];
    insta::assert_snapshot!(program(&texts).listing());
}

#[test]
fn the_same_text_gives_the_same_listing() {
    let texts = [("a.m220", "origin 1\na: ADD a, b, b\n STOP\nb: reserve 2\n start a\n")];
    assert_eq!(program(&texts).listing(), program(&texts).listing());
}
