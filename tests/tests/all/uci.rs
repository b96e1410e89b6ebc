//! `m220 uci` through pipes, as a chess GUI uses it. The tests wait only for replies and never measure time.

use crate::command::command;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// A running session.
struct WindowSession {
    program: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl WindowSession {
    fn open(arguments: &[&str]) -> WindowSession {
        let mut program =
            command(&[&["uci"], arguments].concat()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (program.stdin.take().unwrap(), program.stdout.take().unwrap());
        WindowSession { program, input, output: BufReader::new(output) }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The lines up to the first that begins with `word`, itself included.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "no `{word}` after {lines:?}");
            lines.push(line.trim_end().to_owned());
            if line.starts_with(word) {
                return lines;
            }
        }
    }

    fn best(&mut self) -> String {
        self.until("bestmove").pop().unwrap()
    }

    fn quit(mut self) {
        self.say("quit");
        assert_eq!(self.program.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn a_session_with_bells_program_on_the_machine() {
    let mut window = WindowSession::open(&["--program", "bell"]);
    window.say("uci");
    let lines = window.until("uciok");
    assert_eq!(
        lines,
        [
            "id name Bell (M-220)",
            "id author the M-220 chess laboratory",
            "option name QueenFrom type spin default 6 min 1 max 4095",
            "option name CutOff type check default true",
            "option name Time type combo default machine var machine var clock",
            "uciok",
        ]
    );
    window.say("isready");
    window.until("readyok");
    window.say("ucinewgame");
    window.say("position startpos");
    window.say("go wtime 300000 btime 300000 winc 2000 binc 2000");
    let lines = window.until("bestmove");
    let info: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(&info[..7], ["info", "depth", "3", "score", "cp", "0", "nodes"], "{lines:?}");
    assert!(lines[1].starts_with("info string M-220 time 2."), "{lines:?}");
    assert_eq!(&lines[2..], ["info string swing 0, rank 0, control 29", "bestmove e2e4"]);
    // A window sends the whole game every time.
    window.say("position startpos moves e2e4 d7d5 e4d5 d8d5 d2d4 g8f6");
    window.say("go movetime 10");
    assert_eq!(window.best(), "bestmove c1f4");
    window.say("setoption name QueenFrom value 1");
    window.say("go depth 3");
    assert_eq!(window.best(), "bestmove d1d3");
    window.quit();
}

#[test]
fn both_engines_answer_alike() {
    let mut windows = ["m220", "native"].map(|engine| WindowSession::open(&["--program", "bell", "--engine", engine]));
    let mut moves = String::new();
    for _ in 0..10 {
        let best = windows.each_mut().map(|window| {
            window.say(&format!("position startpos moves{moves}"));
            window.say("go");
            window.best()
        });
        assert_eq!(best[0], best[1], "{moves}");
        moves.push_str(best[0].trim_start_matches("bestmove"));
    }
    windows.into_iter().for_each(WindowSession::quit);
}

/// A line without sense, not UTF-8 or too long is reported and leaves the next one intact; commands with the protocol's
/// largest numbers and endless options in the middle of a search are survived.
#[test]
fn lines_that_are_no_commands_leave_the_session_alive() {
    let mut window = WindowSession::open(&["--program", "bell", "--engine", "native"]);
    window.input.write_all(b"go \xff\xfe\n").unwrap();
    assert_eq!(window.until("info string"), ["info string a line that is not UTF-8"]);
    window.say(&"x".repeat(1_000_000));
    assert_eq!(window.until("info string"), ["info string a line of more than 65536 bytes"]);
    window.say("\u{1b}[2J\u{202e}");
    assert_eq!(window.until("info string"), ["info string unknown command: \\u{1b}[2J\\u{202e}"]);
    window.say("position startpos");
    window.say("go wtime 18446744073709551615 winc 18446744073709551615 movetime 1");
    window.best();
    window.say("go infinite");
    for _ in 0..100 {
        window.say("setoption name QueenFrom value 6");
    }
    window.say("isready");
    window.until("readyok");
    window.say("stop");
    window.best();
    window.quit();
}

/// The machine takes some 50,000 million instructions for this one without cut-off: no test waits for the end.
const LONG: &str = "position fen q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 20";

#[test]
fn stop_is_ready_and_quit_are_answered_in_the_middle_of_a_run() {
    let mut window = WindowSession::open(&["--program", "bell", "--all-values"]);
    window.say(LONG);
    window.say("go infinite");
    window.say("isready");
    window.until("readyok");
    window.say("stop");
    assert!(window.best().starts_with("bestmove "));
    // An infinite search holds its move back, even a short one.
    window.say("position startpos");
    window.say("go infinite");
    window.say("isready");
    assert_eq!(window.until("readyok"), ["readyok"]);
    window.say("stop");
    window.best();
    window.say(LONG);
    window.say("go");
    window.quit();
}

#[test]
fn what_cannot_be_taken_is_told_and_a_move_line_still_comes() {
    let mut window = WindowSession::open(&["--program", "bell", "--engine", "native"]);
    for (position, told) in [
        ("position fen 8/8/8/8 w - - 0 1", "is not a FEN"),
        ("position startpos moves e2e4 e2e4", "move 2: e2e4 is not legal here (Black to move"),
        ("position nonsense", "expected startpos"),
        ("position fen 4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "black is in check, but it is not black's move"),
    ] {
        window.say(position);
        let lines = window.until("info string position rejected");
        assert!(lines[0].contains(told), "{lines:?}");
        // Once is enough.
        window.say("go");
        assert_eq!(window.until("bestmove"), ["bestmove (none)"]);
    }
    window.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    window.say("go");
    assert_eq!(window.until("bestmove"), ["info string no move: there is no legal move", "bestmove (none)"]);
    window.say("setoption name QueenFrom value none");
    let lines = window.until("info string option");
    assert!(lines[0].contains("expected a number, 1 to 4095"), "{lines:?}");
    window.say("perft 5");
    window.until("info string unknown command: perft");
    // The session goes on, and the end of the input ends it.
    window.say("position startpos");
    window.say("go");
    assert_eq!(window.best(), "bestmove e2e4");
    drop(window.input);
    assert_eq!(window.program.wait().unwrap().code(), Some(0));
}

/// A search that would take hours ends with a move when its time is up.
#[test]
fn the_time_limit_gives_a_move() {
    let mut window = WindowSession::open(&["--program", "map", "--timeout", "0.3"]);
    window.say("setoption name Positions value 100000000");
    window.say("setoption name Horizon value 12");
    window.say("position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1");
    window.say("go");
    assert!(window.best().len() >= "bestmove e2e4".len());
    window.quit();
}

/// Depth, nodes and searchmoves bound the search of the map, and each horizon is reported.
/// The search for a mate ends with the time of the move, and leaves the program its own move.
#[test]
fn a_long_search_for_a_mate_leaves_the_programs_move() {
    let quiet = "position fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 8";
    for (options, go) in [(&[][..], "go mate 6 movetime 50"), (&["--timeout", "1"], "go mate 6")] {
        let mut window = WindowSession::open(&[&["--program", "bell"], options].concat());
        window.say(quiet);
        window.say(go);
        let lines = window.until("bestmove");
        assert!(lines.iter().any(|line| line.contains("swing")), "{lines:?}");
        window.quit();
    }
}

#[test]
fn the_map_keeps_what_a_go_says() {
    let mut window = WindowSession::open(&["--program", "map"]);
    let mut ask = |go: &str| {
        window.say("position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1");
        window.say(go);
        window.until("bestmove")
    };
    let number = |lines: &[String], name: &str| -> Vec<u64> {
        let words = |line: &String| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let after =
            |words: Vec<String>| words.iter().position(|word| word == name).map(|at| words[at + 1].parse().unwrap());
        lines.iter().filter(|line| !line.starts_with("info string")).filter_map(|line| after(words(line))).collect()
    };
    let near = ask("go depth 2");
    assert!(number(&near, "depth").iter().all(|&depth| depth <= 2), "{near:?}");
    assert!(number(&near, "depth").starts_with(&[1, 2]), "{near:?}");
    let few = ask("go nodes 40");
    assert!(number(&few, "nodes").iter().all(|&nodes| nodes <= 40), "{few:?}");
    assert_eq!(ask("go depth 1 searchmoves a2a3").last().map(String::as_str), Some("bestmove a2a3"));
    // The mate is proven; any other value is in pawns, that of a doomed king too.
    let mate = ask("go depth 3");
    assert!(mate.iter().any(|line| line.contains("score mate 1")), "{mate:?}");
    window.quit();
}

/// A historical program has no clock of its own; with the option `Time` its run is cut. A run that ends without a move is
/// followed by a legal one.
#[test]
fn a_run_is_cut_by_the_clock_if_that_is_asked() {
    let mut window = WindowSession::open(&["--program", "bell", "--all-values"]);
    window.say("setoption name Time value clock");
    window.say(LONG);
    window.say("go movetime 20");
    assert_ne!(window.best(), "bestmove (none)");
    window.say("setoption name Hash value 1");
    let told = window.until("info string option Hash");
    assert!(told[0].ends_with("no such option; expected QueenFrom, CutOff, Time"), "{told:?}");
    window.say("setoption name Time value hourglass");
    assert!(window.until("info string option Time")[0].contains("expected machine or clock"));
    window.quit();
    let mut window = WindowSession::open(&["--program", "bell", "--max-instructions", "1000"]);
    window.say("position fen rn1k1b1r/pp2pppp/8/8/5q2/2K4P/PP3P2/Rb2R3 b - - 1 25");
    window.say("go");
    let lines = window.until("bestmove");
    assert!(lines[0].starts_with("info string no move: ") && lines[1] != "bestmove (none)", "{lines:?}");
    window.quit();
}

/// While the player ponders no clock runs; `ponderhit` starts it. The search alone would take hours.
#[test]
fn ponderhit_starts_the_clock() {
    let mut window = WindowSession::open(&["--program", "map"]);
    window.say("setoption name Positions value 100000000");
    window.say("setoption name Horizon value 12");
    window.say("position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1");
    window.say("go ponder movetime 20");
    window.say("isready");
    window.until("readyok");
    window.say("ponderhit");
    assert_ne!(window.best(), "bestmove (none)");
    window.quit();
}

/// The end of the input is no `quit`: pending questions are answered first, an infinite search too.
#[test]
fn a_go_before_the_end_of_the_input_is_answered() {
    for go in ["go depth 2", "go infinite"] {
        let mut window = WindowSession::open(&["--program", "map"]);
        window.say("position startpos");
        window.say(go);
        drop(window.input);
        let mut said = String::new();
        std::io::Read::read_to_string(&mut window.output, &mut said).unwrap();
        assert!(said.contains("bestmove "), "{go}: {said}");
        assert_eq!(window.program.wait().unwrap().code(), Some(0));
    }
}

/// A session whose answers cannot be written ends with the code for that.
#[cfg(target_os = "linux")]
#[test]
fn answers_that_cannot_be_written_are_told() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut session = command(&["uci"]).stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    // The session may end before it has read the line.
    let _ = session.stdin.take().unwrap().write_all(b"isready\n");
    let ended = session.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("the session ended"));
}
