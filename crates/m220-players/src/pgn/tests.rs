use super::*;
use chess_reference::legal;

fn read(text: &str) -> GameRecord {
    find(text, 1).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn find(text: &str, number: usize) -> Result<GameRecord, PgnError> {
    games(text.as_bytes(), Reading::default()).find(number, None).map(|found| found.record)
}

fn moves(record: &GameRecord) -> String {
    let moves: Vec<String> = record.game.moves().iter().map(|&played| legal::to_uci(played).to_string()).collect();
    moves.join(" ")
}

/// A case of `tests/pgn/spellings.txt`.
struct Case<'a> {
    kind: &'a str,
    lines: Vec<&'a str>,
    score: String,
}

impl<'a> Case<'a> {
    fn all(text: &'a str) -> Vec<Case<'a>> {
        let read = |case: &'a str| {
            let (head, score) = case.split_once("\nscore:\n").unwrap_or_else(|| panic!("{case}: no score"));
            let mut lines = head.lines();
            let kind = lines.next().unwrap_or_default();
            Case { kind, lines: lines.collect(), score: score.replace('␍', "\r").replace('␣', "\u{a0}") }
        };
        text.split("\n--- ").skip(1).map(read).collect()
    }

    fn check(&self) -> Result<(), String> {
        let keys = ["read", "refused", "told", "game", "before"];
        let kind = self.kind;
        if let Some(line) = self.lines.iter().find(|line| !keys.contains(&line.split(':').next().unwrap_or_default())) {
            return Err(format!("{kind}: {line}"));
        }
        let number = self.value("game").map_or(1, |number| number.parse().unwrap());
        let before = self.value("before").map(|place| {
            let digits = place.trim_end_matches('.');
            (digits.parse().unwrap(), Color::from_white(digits == place))
        });
        let find = |strict| {
            let reading = Reading { strict, ..Reading::default() };
            games(self.score.as_bytes(), reading).find(number, before).map(|found| found.record)
        };
        match (find(false), self.value("read"), self.value("refused"), self.value("told")) {
            (Ok(record), Some(expected), None, told) => {
                let notes: Vec<String> = record.put_right.iter().map(ToString::to_string).collect();
                let (read, notes) = (moves(&record), notes.join("\n"));
                let is_told = notes.contains(told.unwrap_or_default()) && notes.is_empty() == told.is_none();
                let is_strict = number > 1 || find(true).is_err() == told.is_some();
                match read == expected && is_told && is_strict {
                    true => Ok(()),
                    false => Err(format!("{kind}: read {read}, told {notes}, strictly {:?}", find(true).err())),
                }
            }
            (Err(error), None, Some(expected), None) if error.to_string().contains(expected) => Ok(()),
            (read, ..) => Err(format!("{kind}: {:?}", read.map(|record| moves(&record)))),
        }
    }

    fn value(&self, name: &str) -> Option<&'a str> {
        self.lines.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim)
    }
}

/// Forms with one meaning are read, the others refused by name; what is put right is told, and refused if asked.
#[test]
fn scores_of_others_are_read_or_refused_by_name() {
    let cases = Case::all(include_str!("../../tests/pgn/spellings.txt"));
    assert!(cases.len() > 60, "{}", cases.len());
    let wrong: Vec<String> = cases.iter().filter_map(|case| case.check().err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const SCORE: &str = "[Event \"Atlas - ICL 1900\"]\n[White \"Scott\"]\n[Black \"Bell\"]\n\n\
    1. d4 Nc6 {[%emt 0:00:07.78] fourth} 2. e4 $1 (2. d5\n Ne5) e6! 3.d5 Bb4+\n; a line\n4. c3 *\n";

#[test]
fn a_score_is_read_with_times_and_comments() {
    let record = read(SCORE);
    assert_eq!((record.tag("White"), record.game.moves().len()), (Some("Scott"), 7));
    assert_eq!(record.notes[1].time, Some(HalfMicroseconds(15_560_000)));
    assert_eq!(record.notes[1].remarks, [Remark::Comment("[%emt 0:00:07.78] fourth".to_owned())]);
    assert_eq!(record.notes[2].remarks, [Remark::Mark("$1".to_owned()), Remark::Variation("(2. d5\n Ne5)".to_owned())]);
    assert_eq!(record.clone().cut_before(2, Color::Black).unwrap().notes.len(), 3);
    assert!(record.cut_before(9, Color::White).unwrap_err().contains("expected 1 to 4"));
    assert_eq!(read("[White \"A\"]\n\n*").cut_before(1, Color::Black).unwrap_err(), "the game has no move of Black");
}

/// All that a score says stands in what is written of it, and once written it does not change.
#[test]
fn nothing_is_lost_in_writing() {
    let text = "[Event \"a\"]\n[White \"Alpha\"]\n[Result \"*\"]\n[Setup \"1\"]\n[WhiteElo \"?\"]\n\n\
        {first words} 1. e4! $14 {best} {[%clk 0:01:00] [%emt 0:01] again} (1. d4 {alt\n; no line} (1. c4 -- $2)) \
        (1. b3 ; open ( here\n) 1... e5?! $6 {reply ; {} 2. Nf3 +- ; to the } end\n% private { data\n {one\n\ntwo} Nc6 1-0\n";
    let written = read(text).to_pgn();
    assert!(
        written.starts_with("[Event \"a\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Alpha\"]\n")
    );
    for piece in [
        "[Setup \"1\"]\n",
        "[WhiteElo \"?\"]\n",
        "{first words} 1. e4! $14 {best} {[%clk",
        "[%emt 0:01] again}",
        "(1. c4 -- $2)",
        "; open ( here\n)",
        "e5?! $6",
        "{reply ; {}",
        "; to the } end\n",
        "\n% private { data\n",
        "{one\n\ntwo}",
        "Nf3 +-",
        "1-0\n",
    ] {
        let lines = |text: &str| text.replace('\n', " ");
        assert!(written.contains(piece) || lines(&written).contains(piece), "{piece:?}: {written}");
    }
    for text in [text, SCORE] {
        let record = read(text);
        let written = record.to_pgn();
        assert!(written.lines().all(|line| line.len() <= 80), "{written}");
        let again = read(&written);
        assert_eq!((again.game.moves(), again.notes.len()), (record.game.moves(), record.notes.len()));
        assert_eq!(again.to_pgn(), written);
    }
}

#[test]
fn a_game_from_a_position_is_written_with_it() {
    let start = chess_reference::legal::of_fen("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 10").unwrap();
    let mut record = GameRecord::from(Game::new(start));
    record.game.play(record.game.read_move("dxe3").unwrap()).unwrap();
    let text = record.to_pgn();
    assert!(text.contains("[SetUp \"1\"]\n[FEN ") && text.ends_with("\n10... dxe3 *\n"), "{text}");
    assert_eq!(read(&text).game.fen(), record.game.fen());
    // A tag is written as it was read, not as this program would write it.
    let text = "[Setup \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w Q -\"]\n\n1. Ke2 *\n";
    let written = read(text).to_pgn();
    assert!(written.contains("[Setup \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w Q -\"]\n\n") && !written.contains("SetUp"));
}

/// What a program puts into a record can be read from what is written of it.
#[test]
fn what_is_set_can_be_read_again() {
    let mut record = read("[Result \"1-0\"]\n\n1. e4 1-0");
    record.set_tag("We ird]", "x".to_owned());
    record.set_tag("White", "a \"b\"\nc".to_owned());
    record.set_tag("Result", "0-1".to_owned());
    record.notes[0].remarks.push(Remark::Comment("a } b".to_owned()));
    let again = read(&record.to_pgn());
    assert_eq!((again.tag("White"), again.tag("Result"), &*again.result), (Some("a \"b\" c"), Some("0-1"), "0-1"));
    assert_eq!(again.notes[0].remarks, [Remark::Comment("a  b".to_owned())]);
    assert_eq!((again.tags.len(), again.put_right.len()), (7, 0));
    assert!(record.with_result("foo").to_pgn().ends_with("} *\n"));
}

/// Bytes that are not UTF-8 come back as they were, whatever they mean.
#[test]
fn other_encodings_come_back_byte_for_byte() {
    let latin = b"[Event \"Gr\xfcnfeld\"]\n[Site \"?\"]\n[Date \"?\"]\n[Round \"?\"]\n[White \"\xd0\x96\"]\n\
        [Black \"?\"]\n[Result \"*\"]\n\n1. e4 {\xfe\xff} *\n";
    let record = games(&latin[..], Reading::default()).next().unwrap().unwrap();
    assert_eq!(record.tag("Event"), Some("Gr\u{fc}nfeld"));
    assert_eq!(record.to_bytes(), latin);
    // Where a part of a word is kept, too.
    let latin = b"[Black M\xfcller]\n\n1. e4\xb1 *\n";
    let written = games(&latin[..], Reading::default()).next().unwrap().unwrap().to_bytes();
    let has = |part: &[u8]| written.windows(part.len()).any(|bytes| bytes == part);
    assert!(has(b"[Black \"M\xfcller\"]") && has(b"e4 \xb1 "), "{}", written.escape_ascii());
    // With a letter that no byte is, all of it is UTF-8.
    let mut record = games(&b"[White \"J\xf6rg\"]\n\n1. e4 *"[..], Reading::default()).next().unwrap().unwrap();
    record.set_tag("Black", "\u{416}".to_owned());
    assert_eq!(record.to_bytes(), record.to_pgn().into_bytes());
    let utf8 = "[Event \"Gr\u{fc}nfeld\"]\n\n1. e4 {\u{416}} *\n";
    assert_eq!(read(utf8).to_bytes(), read(utf8).to_pgn().into_bytes());
    assert!(read(utf8).to_pgn().contains("{\u{416}}"));
    for unit in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
        // Without a mark at the beginning, too.
        for mark in [Some(0xfeff), None] {
            let wide: Vec<u8> = mark.into_iter().chain(utf8.encode_utf16()).flat_map(unit).collect();
            let record = games(&wide[..], Reading::default()).next().unwrap().unwrap();
            assert_eq!((record.tag("Event"), record.game.moves().len()), (Some("Gr\u{fc}nfeld"), 1));
            assert_eq!(record.put_right[0].to_string(), "line 1, column 1: the text is UTF-16, read as UTF-8");
        }
    }
    assert_eq!(read("1. e4 *\n\u{1a}").game.moves().len() + read("1. e4 e5\u{1a}").game.moves().len(), 3);
}

/// A stream without an end is refused where it is too long, not where memory ends.
#[test]
fn what_is_too_long_is_refused() {
    let there_and_back = "Nf3 Nf6 Ng1 Ng8 ";
    for (text, expected) in [
        (format!("[Event \"{}\"]\n\n1. e4 *", "x".repeat(1 << 20)), "a line of more than 1048576 bytes"),
        (
            format!("1. {}", format!("{there_and_back}\n").repeat(5_001)),
            "line 5001, column 1: more than 20000 half-moves",
        ),
        (format!("1. e4 {}", "{x}\n".repeat(9 << 20)), "bytes of comments and variations"),
        (format!("1. e4 {{{}", "x\n".repeat(5 << 20)), "a comment of more than"),
        ((0..2_000).map(|tag| format!("[T{tag} \"\"]\n")).collect(), "line 1001, column 1: more than 1000 tags"),
        ("1. e4 ( 1. d4 ".repeat(200), "more than 100 variations inside one another"),
    ] {
        let error = find(&text, 1).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(find("", 1).unwrap_err().to_string(), "line 1, column 1: no game here; expected a score in PGN");
}

/// Each byte of a line is looked at a few times at most: otherwise these took minutes.
#[test]
fn long_lines_are_read_at_once() {
    let slashes = "\\\\".repeat(500_000);
    let marks = " ".repeat(500_000) + &"$1 ".repeat(170_000);
    let record = read(&format!("[Event \"{slashes}\"]\n\n1. e4\n{marks} *\n"));
    assert_eq!(record.tag("Event").map(str::len), Some(500_000));
    assert_eq!(record.game.moves().len(), 1);
}

/// The next game can be read after any error.
#[test]
fn an_error_leaves_the_other_games() {
    let text = format!(
        "[Event \"1\"]\n\n1. e4 }} *\n\n[Event \"2\"]\n\n1. d4 {{[\n[Event \"no\"]\n}} *\n\n[Event \"3\"]\n[Event \"x\"]\n\n1. c4 *\n\n\
         [Event \"4\"]\n{}\n1. c4 *\n[Event \"5\"]\n1. b4 {{no end\n\n[Event \"6\"]\n\n1. a4 *",
        "x".repeat(2 << 20)
    );
    let read: Vec<String> = games(text.as_bytes(), Reading::default())
        .map(|game| match game {
            Ok(game) => format!("{} {}", game.tag("Event").unwrap_or_default(), moves(&game)),
            Err(error) => format!("game {}, line {}", error.game, error.line),
        })
        .collect();
    assert_eq!(read[..4], ["game 1, line 3", "2 d2d4", "game 3, line 12", "game 4, line 17"]);
    assert_eq!(read.last().map(String::as_str), Some("6 a2a4"), "{read:?}");
}

/// Damaged scores against a second reader, whose readings `tools/pgn-second-reader.py` has recorded: a score read without
/// a word is read alike. `M220_PGN_CASES` names a longer file.
#[test]
fn a_second_reader_finds_the_same_moves() {
    let file = std::env::var("M220_PGN_CASES");
    let file =
        file.unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pgn/second-reader.jsonl").to_owned());
    let (mut alike, mut told, mut refused, mut different) = (0, 0, 0, Vec::new());
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| case[name].as_str().unwrap();
        match find(text("pgn"), 1) {
            Err(_) => refused += 1,
            Ok(record) => {
                let fen = legal::fen(record.game.start());
                let is_alike = case["errors"] == false && (text("fen"), text("moves")) == (&fen, &moves(&record));
                match (is_alike, record.put_right.is_empty()) {
                    (true, _) => alike += 1,
                    (false, false) => told += 1,
                    (false, true) => different.push(line.to_owned()),
                }
            }
        }
    }
    eprintln!("{alike} alike, {told} told, {refused} refused, {} different", different.len());
    assert!(alike > 0 && refused > 0 && different.is_empty(), "{}", different[..different.len().min(20)].join("\n"));
}

#[test]
fn times_have_hundredths() {
    assert_eq!(elapsed(HalfMicroseconds(4_580_000)), "0:00:02.29");
    assert_eq!(elapsed(HalfMicroseconds(2_000_000 * 3_725)), "1:02:05.00");
    assert_eq!(read_elapsed("1:02:05"), Some(HalfMicroseconds(2_000_000 * 3_725)));
    assert_eq!(read_elapsed("soon"), None);
    assert_eq!(read_elapsed("1:0:0:0"), None);
    assert_eq!(elapsed(HalfMicroseconds(u64::MAX)), "2562047788:00:54.77");
}
