//! A new user's first impressions: pages of 80 columns, lists that end, words that help.

use crate::command::m220;

/// Columns of a text for people.
const WIDTH: usize = 80;

#[test]
fn texts_for_people_fit_the_page() {
    for command in [
        "positions",
        "positions --all",
        "positions greco",
        "map --position opera",
        "map --position fig22 --explain e5-f6-g7",
        "analyse --position opera",
        "analyse --position fig22 --line b2a3",
        "best --position fig22",
        "best --position opera --all",
        "attacks --position 17 --horizon 9 --engine native",
        "attacks --position 17 --board --engine native",
        "mate --position reti --moves 3 --engine native",
        "endings KQK --engine native",
        "endings --fen 8/8/8/8/8/k7/2K5/7Q",
        "attacks --position 17 --engine m220",
        "mate --position greco --moves 2",
        "book",
        "book 17",
        "book 31",
        "endings --fen 8/8/8/8/8/2k5/8/K6R --line --engine native",
        "asm --help-opcodes",
        "reproduce --runs 0",
        "reproduce --runs 0 --all",
        "play best --position opera --engine native",
        "play history --engine native",
        "relations --position 17 --engine native",
        "sync count --depth 2",
        "trajectories --piece king --from a4 --to h4 --engine native --board",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let text = m220(&words).code(0).out;
        let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > WIDTH).collect();
        assert!(!text.is_empty() && wide.is_empty(), "{command}: {wide:#?}");
    }
}

/// What an answer or a document says, and the glossary has under another name.
#[test]
fn a_word_of_an_answer_is_explained() {
    for (asked, begin) in [
        ("nominal", "Modelled time: "),
        ("type 2", "Value type: "),
        ("formula 12", "E+: "),
        ("(12)", "E+: "),
        ("tau", "m, tau: "),
        ("functions", "f: "),
        ("interdiction", "Interdiction key: "),
        ("20", "code 20, "),
        ("Horizons", "Horizon: "),
        ("sensible moves", "Sensible move: "),
        ("safe retreats", "Retreat: "),
        ("table-full", "ok, table-full, "),
        ("native-only", "Native, native only: "),
        ("no legal move", "No legal move: "),
        ("clearing", "Clearing: "),
        ("not confirmed", "Confirmed, not confirmed: "),
        ("j", "j: "),
        ("keeps-hope", "only-move, "),
        ("unfitted-cube", "halt, mismatch, "),
        ("positions_visited", "Position visited: "),
    ] {
        let told = m220(&["explain", asked]).code(0).out;
        assert!(told.starts_with(begin), "{asked}: {told}");
    }
    assert!(m220(&["explain", "trajectry"]).code(3).err.contains("similar ones are Trajectory"));
}

#[test]
fn the_list_of_positions_has_a_line_for_each_large_set() {
    let (brief, all) = (m220(&["positions"]).code(0).out, m220(&["positions", "--all"]).code(0).out);
    let names = |text: &str| text.lines().filter(|line| line.starts_with(|first: char| first != ' ')).count();
    assert!(names(&brief) < 60 && names(&all) > 200, "{} {}", names(&brief), names(&all));
    assert!(brief.contains("\n1 ... 60              60 positions of Botvinnik's book\n"), "{brief}");
    // A text finds what the brief list hides; a position without a mate is not called one.
    assert!(m220(&["positions", "castling-0"]).code(0).out.contains("\ncastling-02"));
    assert!(m220(&["positions", "mated"]).code(0).out.starts_with("mated  The scholar's mate given: the side to move"));
}

#[test]
fn a_pawn_on_an_outer_rank_is_remarked_on() {
    let pawn = |from, to| m220(&["trajectories", "--piece", "pawn", "--from", from, "--to", to, "--engine", "native"]);
    let first = pawn("e1", "e4").code(0);
    assert!(first.err.contains("no game has a white pawn on e1"), "{}", first.err);
    assert!(first.out.ends_with("\n\ne1e2e4\n"), "{}", first.out);
    assert!(pawn("e8", "e7").code(0).err.contains("it can go no further"));
    assert_eq!(pawn("e2", "e4").code(0).err, "");
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let page = m220(&["man", "mate"]).code(0).out;
    assert!(page.contains(".TH m220-mate 1") && !page.contains(".TH m220-map"), "{page}");
    assert!(page.contains("\n.SH EXAMPLES\n.nf\n  m220 mate "), "{page}");
    // The head names the program and its version, and the page of the program is one page.
    let head = page.lines().find(|line| line.starts_with(".TH")).unwrap_or_default();
    assert!(head.contains(concat!("m220 ", env!("CARGO_PKG_VERSION"))) && !head.ends_with(' '), "{head:?}");
    let whole = m220(&["man"]).code(0).out;
    assert_eq!(whole.lines().filter(|line| line.starts_with(".TH")).count(), 1);
    let folder = tempfile::tempdir().unwrap();
    m220(&["man", "--folder", folder.path().to_str().unwrap()]).code(0);
    assert!(folder.path().join("m220.1").exists() && folder.path().join("m220-play-best.1").exists());
    let written =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    for name in written.filter(|name| name != "m220.1") {
        let name = name.trim_start_matches("m220-").trim_end_matches(".1");
        assert!(m220(&["man", name]).code(0).out.contains(&format!(".TH m220-{name} 1")), "{name}");
    }
    assert_eq!(m220(&["man", "play", "game"]).code(0).out, m220(&["man", "play-game"]).code(0).out);
    let unknown = m220(&["man", "mat"]).code(2);
    assert!(unknown.err.contains("man mat: no such command"), "{}", unknown.err);
}

#[test]
fn a_word_in_place_of_a_number_is_called_so() {
    let (_, _, err) = m220(&["console", "--port", "80a"]).parts();
    assert!(err.contains("'80a' for '--port <N>': expected a whole number"), "{err}");
}

/// Keys that mate sooner than asked are marked.
#[test]
fn quicker_keys_are_marked() {
    let marked = |moves| m220(&["mate", "--position", "morphy", "--moves", moves, "--engine", "native"]).code(0).out;
    assert!(marked("3").contains("\n1.Ra6! (zugzwang)  (mates in 2 or fewer)\n"), "{}", marked("3"));
    assert!(marked("2").contains("\n1.Ra6! (zugzwang)\n"), "{}", marked("2"));
}

/// Native work is not given a machine's time.
#[test]
fn an_analysis_says_what_the_machine_has_of_it() {
    let text = m220(&["analyse", "--position", "fig22", "--depth", "0"]).code(0).out;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("An M-220 finds all attacks of this position within 3 half-moves in "), "{text}");
    assert!(text.contains("The analysis was worked out natively here"), "{text}");
}
