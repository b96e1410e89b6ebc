//! Macros: a use assembles to the same words as its lines written out.

use m220_asm::{Assembly, assemble_text, disassemble};
use m220_isa::Model;

fn assembled(text: &str) -> Assembly {
    assemble_text("x", text, Model::M220).unwrap_or_else(|told| panic!("{text}\n{}", told.render(false)))
}

fn words(text: &str) -> Vec<String> {
    assembled(text).image.words.iter().map(|(cell, word)| format!("{cell} {}", word.grouped())).collect()
}

/// Uses of macros, each with the equivalent lines.
#[test]
fn a_use_stands_for_its_lines() {
    let head = " origin 100\n start begin\nbegin: STOP\none: octal 0 00 0000 0000 0001\n";
    for (with, without) in [
        // Without parameters; in front of a label, in a repeat.
        (
            " macro halt\n STOP\n STOP\n end\nhere: halt\n halt\n JMP 0, here\n",
            "here: repeat 2\n STOP\n STOP\n end\n JMP 0, here\n",
        ),
        (" macro halt\n STOP\n end\n repeat 3\n halt\n end\n", " repeat 3\n STOP\n end\n"),
        // Arguments are expressions, taken as a whole.
        (" macro m a, b\n ADD a, 2*b, a-b\n end\n m 100, 1+2\n m one, -1+2\n", " ADD 100, 6, 75\n ADD one, 2, one-1\n"),
        // RA goes with the argument, and may also follow a parameter.
        (" macro m a, b\n ADD a, b[RA], a+1\n end\n m one[RA], 5\n", " ADD one[RA], 5[RA], one+1[RA]\n"),
        // Local labels in the body belong to the use, those in arguments to its surroundings.
        (
            " macro skip to\n JO 0, .over\n JMP 0, to\n.over:\n end\nx: skip .end\n skip .end\n.end: STOP\n",
            "x: JO 0, .a\n JMP 0, .end\n.a: JO 0, .b\n JMP 0, .end\n.b:\n.end: STOP\n",
        ),
        // `.` in the body is the cell of the word, in an argument the first cell of the use.
        (" macro m a\n ADD ., a\n ADD ., a\n end\n m .+1\n", "x: ADD x, x+1\n ADD x+1, x+1\n"),
        // Macros use macros, counts and words.
        (
            " macro pair a\n fields a, 0, 0\n reserve 2\n end\n macro four a, n\n pair a\n repeat n\n pair a+1\n end\n end\n four one, 3\n",
            " fields one, 0, 0\n reserve 2\n repeat 3\n fields one+1, 0, 0\n reserve 2\n end\n",
        ),
        // A parameter hides a name of the program.
        (" macro m one\n ADD one, 0\n end\n m 7\n", " ADD 7, 0\n"),
    ] {
        assert_eq!(words(&format!("{head}{with}")), words(&format!("{head}{without}")), "{with}");
    }
}

/// With RA a negative operand is a displacement.
#[test]
fn negative_displacements() {
    assert_eq!(
        words(" origin 100\n start 100\ntable = 10\n ADD -1[RA], table-11[RA], -7777[RA]\n STOP\n"),
        words(" origin 100\n start 100\n ADD 7777[RA], 7777[RA], 1[RA]\n STOP\n")
    );
    let told = assemble_text("x", " origin 100\n ADD -10000[RA], -1\n", Model::M220).unwrap_err().brief();
    assert_eq!(told.matches("an operand cannot be negative").count(), 2, "{told}");
}

/// In a macro a local label is meant that is written like the undefined one, not one whose full name has the same
/// prefix.
#[test]
fn local_labels_that_may_be_meant_in_a_macro() {
    for (used, help) in [(".b", None), (".agian", Some("did you mean `.again`?"))] {
        let text = format!(" origin 100\n start q\n macro m\n.again: ADD {used}, 0\n end\nq: m\n");
        let told = assemble_text("x", &text, Model::M220).unwrap_err();
        assert_eq!(told.list[0].help.as_ref().map(ToString::to_string).as_deref(), help, "{used}");
    }
}

#[test]
fn the_listing_shows_each_use_and_the_lines_say_where() {
    let text = " origin 100\n start x\n macro m a\n.l: ADD a, .l\n end\nx: m 5\n m 6\n STOP\n";
    let program = assembled(text);
    insta::assert_snapshot!(program.listing());
    let lines: Vec<_> = program.image.lines.values().map(|place| place.line).collect();
    assert_eq!(lines, [4, 4, 8]);
    assert_eq!(disassemble::disassemble(&program.image).matches(":").count(), 3, "x and a label of each use");
}
