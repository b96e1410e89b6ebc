//! Pictures and boards of the chess commands.

use crate::command::m220;
use crate::fixtures::{FIG_22, folder, king, path, written};
use m220_tests::stand_in::StandIn;

/// The content of an SVG besides the board's squares and coordinates.
fn drawn(svg: &str) -> String {
    let board = ["class=\"light\"", "class=\"dark\"", "class=\"coordinate\""];
    let mut lines: Vec<&str> = Vec::new();
    // From the opening tag of a coordinate to its closing one.
    let mut in_coordinate = false;
    for line in svg.lines().filter(|line| !line.is_empty()) {
        in_coordinate |= line.contains(board[2]);
        if !in_coordinate && !board.iter().any(|class| line.contains(class)) {
            lines.push(line);
        }
        in_coordinate &= line != "</text>";
    }
    lines.join("\n")
}

#[test]
fn the_picture_of_a_bundle() {
    let folder = folder();
    let svg = folder.path().join("bundle.svg");
    let task =
        ["trajectories", "--fen", "8/8/8/8/8/8/1p6/8 w - - 0 1", "--piece", "king", "--from", "a1", "--to", "c1"];
    m220(&[&task[..], &["--engine", "native", "--svg", path(&svg)]].concat()).code(0);
    let text = std::fs::read_to_string(&svg).unwrap();
    assert_eq!(text.matches("class=\"light\"").count(), 32);
    insta::assert_snapshot!(drawn(&text));
}

#[test]
fn the_picture_of_attacks() {
    let folder = folder();
    let svg = folder.path().join("attacks.svg");
    let fen = "7r/6P1/8/8/8/8/8/8 w - - 0 1";
    m220(&["attacks", "--fen", fen, "--engine", "native", "--horizon", "2", "--flip", "--svg", path(&svg)]).code(0);
    insta::assert_snapshot!(drawn(&std::fs::read_to_string(&svg).unwrap()));
}

/// Heading and legend mention what is drawn, nothing else, and what is left out.
#[test]
fn a_picture_says_what_it_shows() {
    let (faint, number, threat) =
        ("Faint: an attack that can be stopped", "A number: the pawns", "Thin arrow: what it threatens.");
    let of_black = "Dashed: Black's.";
    let cases: [(&str, i32, &[&str], &[&str]); 13] = [
        (
            "attacks --position fig22 --engine native",
            0,
            &["28 attack trajectories within", of_black],
            &[faint, "No attack"],
        ),
        (
            "attacks --position fig22 --engine native --svg-from e5,g1",
            0,
            &["20 attack trajectories from e5, g1 within", "No attack within the horizon starts from g1."],
            &[of_black],
        ),
        (
            "attacks --fen 7k/8/8/8/8/8/8/K7 --engine native",
            0,
            &["No attack lies within the horizon."],
            &["Solid", "Dot"],
        ),
        (
            "attacks --position fig22 --engine native --svg-from b3",
            0,
            &["1 attack trajectory from b3 within", "Dashed: Black's attacks."],
            &["Solid"],
        ),
        ("map --position fig22", 0, &["The map's attacks within 3 half-moves, White to move", faint], &[number]),
        ("map --position fig22 --svg-from g1", 0, &["attacks from g1", "starts from g1."], &[faint, number, "Solid"]),
        ("map --fen 4k3/8/8/3p4/4P3/8/8/4K3", 0, &[number], &[]),
        ("mate --fen kbK5/pp6/1P6/8/8/8/8/R7 --engine native", 0, &["Thick arrow: a key."], &[threat]),
        ("mate --fen 7k/8/8/8/8/8/1R6/R6K --moves 2 --engine native", 0, &["Thick arrow: a key.", threat], &[]),
        ("mate --position startpos --engine native", 0, &["no mate in 2"], &["Wide", threat]),
        (
            "relations --position fig22 --engine native --move e5f6",
            0,
            &[
                "87 relations",
                "drawn: 4 attacks, 21 defences",
                "Controls of free squares are not drawn.",
                "the move e5:f6 (Qxf6+)",
            ],
            &[],
        ),
        (
            "relations --position fig22 --engine native --piece e5",
            0,
            &["drawn: those of e5", "Thin: a defence, or the control of a free square."],
            &["not drawn", of_black, "the move"],
        ),
        (
            "analyse --position startpos",
            4,
            &["No verdict: the map shows no sensible move within this horizon"],
            &["Green"],
        ),
    ];
    for (command, code, says, leaves_out) in cases {
        let arguments: Vec<&str> = command.split(' ').chain(["--svg", "-"]).collect();
        let picture = m220(&arguments).code(code).out;
        // Long legends are wrapped; the texts are the lines without tags.
        let texts: Vec<&str> = picture.lines().filter(|line| !line.is_empty() && !line.contains('<')).collect();
        let texts = texts.join(" ").replace("&apos;", "'");
        for part in says {
            assert!(texts.contains(part), "{command}: no \"{part}\" in {texts}");
        }
        for part in leaves_out {
            assert!(!texts.contains(part), "{command}: \"{part}\" in {texts}");
        }
    }
    // The squares of the move are highlighted.
    let before = m220(&["relations", "--position", "fig22", "--engine", "native", "--move", "e5f6", "--svg", "-"]).out;
    assert_eq!((before.matches("class=\"start\"").count(), before.matches("class=\"ring\"").count()), (1, 1));
}

/// Every command that draws writes only the picture to standard output if asked to.
#[test]
fn a_picture_on_standard_output() {
    for (command, words) in [
        ("trajectories --piece king --from a1 --to c1 --engine native", "2 shortest trajectories of 2 moves"),
        ("attacks --position fig22 --engine native --svg-from b2", "1 attack trajectory from b2"),
        ("mate --position morphy --engine native --format json", "White to move mates in 2: 1 key"),
        ("map --position fig22 --svg-from b2", "The map's attacks from b2 within 3 half-moves, White to move"),
        ("analyse --position fig22 --depth 1", "30.Ba3"),
        ("best --position fig22", "30.Ba3: gains 9 by the rules of 1968"),
        ("relations --position fig22 --engine native", "White"),
        ("endings --fen 8/8/8/8/8/2k5/8/K6R w - - 0 1 --engine native", "White"),
    ] {
        // This FEN is the only one with spaces.
        let words_of = command.replace("8/8/8/8/8/2k5/8/K6R w - - 0 1", "8/8/8/8/8/2k5/8/K6R_w_-_-_0_1");
        let arguments: Vec<String> = words_of.split(' ').map(|word| word.replace('_', " ")).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(["--svg", "-"]).collect();
        let (code, out, err) = m220(&arguments).parts();
        assert!(code == 0 && err.is_empty(), "{command}: {code} {err}");
        assert!(out.starts_with("<svg") && out.trim_end().ends_with("</svg>") && out.contains(words), "{command}");
    }
    // Only the bishop's attacks: a3 and on.
    let of_bishop =
        m220(&["attacks", "--position", "fig22", "--engine", "native", "--svg", "-", "--svg-from", "b2"]).out;
    assert_eq!(of_bishop.matches("class=\"white\"").count(), 1, "{of_bishop}");
    // However deep, the tree of Fig. 22 is folded until viewers accept its picture: 32,767 pixels a side.
    let deep = m220(&["analyse", "--position", "fig22", "--depth", "44", "--svg", "-"]).code(0).out;
    let side =
        |name: &str| deep.split(&format!("{name}=\"")).nth(1).and_then(|rest| rest.split('"').next()?.parse().ok());
    assert!([side("height"), side("width")].iter().all(|side: &Option<u32>| side.is_some_and(|side| side <= 32_767)));
}

#[test]
fn a_legend_explains_the_numbers_on_a_board() {
    let way = ["trajectories", "--piece", "king", "--from", "A1", "--to", "d1", "--engine", "native", "--board"];
    let text = m220(&way).code(0).out;
    assert!(text.contains("|   1+2|"), "capitals name squares too: {text}");
    assert!(text.contains("\n\n1+2 on b1: 1 move from the start + 2 moves to the target\n\na1b1c1d1\n"), "{text}");
    let none = [&way[..6], &["d1", "--max-moves", "2", "--engine", "native", "--board"]].concat();
    assert!(m220(&none).code(0).out.trim_end().ends_with('h'));
}

#[test]
fn a_board_in_the_terminal() {
    let shown = m220(&["attacks", "--fen", "7r/6P1/8/8/8/8/8/8 w - - 0 1", "--engine", "native", "--board"]).code(0);
    insta::assert_snapshot!(shown.out);
}

#[test]
fn a_picture_that_cannot_be_written_is_refused_before_the_work() {
    let folder = folder();
    let taken = folder.path().join("taken");
    std::fs::create_dir(&taken).unwrap();
    for svg in [path(&taken), "/nowhere/at/all.svg"] {
        let failed = king(&["--engine", "native", "--svg", svg]).code(5);
        assert_eq!(failed.out, "");
        assert!(failed.err.contains(svg), "{}", failed.err);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn without_an_answer_the_old_picture_stays() {
    let folder = folder();
    let full = written(&folder, "full.m220", &StandIn::with_result("four").source());
    let old = written(&folder, "old.svg", "the old picture");
    let refused = ["--engine", "m220", "--program", path(&full), "--svg", path(&old)];
    let attacks = [&["attacks", "--fen", FIG_22][..], &refused].concat();
    for refused in [king(&refused), m220(&attacks)] {
        let refused = refused.code(4);
        assert!(refused.err.contains("old.svg: not drawn"), "{}", refused.err);
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "the old picture");
    }
}

#[test]
fn a_place_that_is_missing_is_told_without_names_of_ours() {
    let folder = folder();
    let nowhere = folder.path().join("nowhere").join("king.svg");
    let failed = king(&["--engine", "native", "--svg", path(&nowhere)]).code(5);
    let expected = format!("king.svg: cannot be written: there is no folder {}\n", path(nowhere.parent().unwrap()));
    assert!(failed.err.ends_with(&expected), "{}", failed.err);
}
