//! The Universal Chess Interface: a player in any chess GUI.
//!
//! One thread reads commands and answers at once; the player thinks on another, so `stop`, `isready` and `quit` are
//! answered even during a long run of the machine.
//!
//! Historical programs have no clock: they compute until they are done, whatever a `go` says, unless the option `Time`
//! is `clock`. Then, and always for a player with [`Player::heeds_clock`], the run is cut when the time for the move is
//! over, and the best move so far is played; without one, the first legal move. As the protocol demands, `go infinite`
//! holds back the move until `stop`, and `go ponder` until `stop` or `ponderhit`, which starts the clock.

use crate::player::Progress;
use crate::prelude::*;
use chess_reference::algorithm50::{self, Problem, solve_shortest};
use chess_reference::fen::read_legal;
use chess_reference::legal;
use m220_limits::Interrupt;
use shakmaty::uci::UciMove;
use std::convert::Infallible;
use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The engine's author, for `id author`.
pub const AUTHOR: &str = "the M-220 chess laboratory";

/// Speaks the protocol until `quit` or the end of the input. With a `limit` the player is stopped after that time for a
/// move, whatever the clocks say; if it then has no move, it answers as after `stop`. A player still thinking at `quit`
/// is stopped, and its move awaited for a few seconds; at the end of the input as long as it takes.
///
/// # Errors
/// [`io::Error`] if the lines cannot be read, or the system has no thread to think on. A line that fails with
/// [`io::ErrorKind::InvalidData`] is skipped. Output that cannot be written ends the session without an error: the GUI
/// has been closed.
pub fn session(
    player: Box<dyn Player>,
    limit: Option<Duration>,
    lines: impl Iterator<Item = io::Result<String>>,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let window = Window(Arc::new(Mutex::new(Box::new(output))));
    let (name, options, heeds_clock) = (player.name(), player.options(), player.heeds_clock());
    let (thinker, thread, silent) = start(player, window.clone())?;
    let mut host = Host {
        name,
        options,
        has_clock: heeds_clock,
        by_clock: heeds_clock,
        limit,
        thinker,
        window,
        game: Ok(Game::default()),
        thinking: None,
    };
    for line in lines {
        let obeyed = match line {
            Ok(line) => host.command(&line),
            // A line that cannot be a command does not end the session.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                host.window.say(&format!("info string {error}")).map(|()| true)
            }
            Err(error) => return Err(error),
        };
        match obeyed {
            Ok(true) => {}
            Ok(false) => {
                host.stop();
                drop(host);
                // It ends with an error, since nothing is ever sent.
                let _ = silent.recv_timeout(LAST_WORDS);
                return Ok(());
            }
            Err(error) => {
                host.stop();
                // Whoever asked has gone away.
                return if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) };
            }
        }
    }
    // At the end of the input pending questions are answered, an endless search at once.
    if host.thinking.as_ref().is_some_and(|thinking| thinking.held_back.is_some()) {
        host.stop();
    }
    drop(host);
    // A thread that panicked has said so.
    let _ = thread.join();
    Ok(())
}

/// The pipe to the GUI, shared by both threads. Whole lines are written.
#[derive(Clone)]
struct Window(Arc<Mutex<Box<dyn Write + Send>>>);

impl Window {
    fn say(&self, line: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{line}")?;
        output.flush()
    }
}

/// A command to the thinking thread.
enum Task {
    /// Choose a move; when the channel closes, it may be sent.
    Think(Box<Search>, Receiver<Infallible>),
    /// Forget the last game.
    NewGame,
    /// Set an option: name and value.
    Set(String, String),
    /// There is no position to think of.
    Nothing,
}

/// What a `go` asks for.
struct Search {
    game: Game,
    limits: Limits,
    wishes: Wishes,
}

/// A search under way.
struct Thinking {
    stop: Interrupt,
    limits: Limits,
    /// The time for the move once the pondered one has been played, if the clock counts.
    after_ponderhit: Option<Duration>,
    /// Dropped when the move may be sent: in an infinite search, only after `stop`.
    held_back: Option<Sender<Infallible>>,
}

/// The thread that reads commands.
struct Host {
    name: String,
    options: Vec<PlayerOption>,
    /// The player obeys a clock by itself.
    has_clock: bool,
    /// The run is cut by the clock.
    by_clock: bool,
    /// The longest that the player may think about a move.
    limit: Option<Duration>,
    thinker: SyncSender<Task>,
    window: Window,
    /// The game so far, or why there is none.
    game: Result<Game, String>,
    thinking: Option<Thinking>,
}

impl Host {
    /// Obeys a command; returns false after `quit`.
    fn command(&mut self, line: &str) -> io::Result<bool> {
        let (word, rest) = split_word(line);
        match word {
            "uci" => self.introduce()?,
            "isready" => self.window.say("readyok")?,
            "ucinewgame" => {
                self.stop();
                self.game = Ok(Game::default());
                self.send(Task::NewGame);
            }
            "position" => self.position(rest)?,
            "go" => self.go(rest),
            "stop" => self.stop(),
            "ponderhit" => {
                if let Some(thinking) = &mut self.thinking {
                    if let Some(time) = thinking.after_ponderhit {
                        thinking.limits.end_after(time);
                    }
                    thinking.held_back = None;
                }
            }
            "setoption" => self.set_option(rest)?,
            "quit" => return Ok(false),
            // GUIs send these; nothing needs to be done.
            "" | "debug" | "register" => {}
            other => self.window.say(&format!("info string unknown command: {other}"))?,
        }
        Ok(true)
    }

    fn introduce(&self) -> io::Result<()> {
        self.window.say(&format!("id name {}\nid author {AUTHOR}", self.name))?;
        for option in &self.options {
            self.window.say(&match option {
                PlayerOption::Number { name, value, least, most } => {
                    format!("option name {name} type spin default {value} min {least} max {most}")
                }
                PlayerOption::Switch { name, value } => format!("option name {name} type check default {value}"),
            })?;
        }
        if !self.has_clock {
            self.window.say("option name Time type combo default machine var machine var clock")?;
        }
        self.window.say("uciok")
    }

    fn set_option(&mut self, rest: &str) -> io::Result<()> {
        let named = rest.trim().strip_prefix("name ").unwrap_or(rest);
        let (name, value) = named.split_once(" value ").unwrap_or((named, ""));
        let (name, value) = (name.trim(), value.trim());
        // The protocol does not tell names apart by their case.
        let time = (!self.has_clock).then_some(TIME);
        let known: Vec<&str> = self.options.iter().map(PlayerOption::name).chain(time).collect();
        let Some(name) = known.iter().copied().find(|known| known.eq_ignore_ascii_case(name)) else {
            let known = known.join(", ");
            return self.window.say(&format!("info string option {name} not set: no such option; expected {known}"));
        };
        match () {
            () if name == TIME && value.eq_ignore_ascii_case("clock") => self.by_clock = true,
            () if name == TIME && value.eq_ignore_ascii_case("machine") => self.by_clock = false,
            () if name == TIME => {
                self.window.say(&format!("info string option {TIME} not set: '{value}': expected machine or clock"))?;
            }
            () => {
                // If this waited for room, it would not hear `stop`.
                if let Err(TrySendError::Full(_)) = self.thinker.try_send(Task::Set(name.to_owned(), value.to_owned()))
                {
                    self.window.say("info string option not set: the player is thinking")?;
                }
            }
        }
        Ok(())
    }

    fn position(&mut self, rest: &str) -> io::Result<()> {
        let read = read_position(rest);
        match &read {
            Ok((_, notes)) => {
                for note in notes {
                    self.window.say(&format!("info string position: {note}"))?;
                }
            }
            Err(reason) => self.window.say(&format!("info string position rejected: {reason}"))?,
        }
        self.game = read.map(|(game, _)| game);
        Ok(())
    }

    fn go(&mut self, rest: &str) {
        self.stop();
        match &self.game {
            Ok(game) => {
                let wishes = Wishes::read(rest, game);
                let stop = Interrupt::default();
                let (held_back, clock) = (wishes.held_back, wishes.time.filter(|_| self.by_clock));
                let limits = Limits::default().with_interrupt(&stop);
                let times = clock.filter(|_| !held_back).into_iter().chain(self.limit);
                let limits = times.fold(limits, |limits, time| limits.with_timeout(time));
                let (hold, released) = mpsc::channel();
                self.thinking = Some(Thinking {
                    stop,
                    limits: limits.clone(),
                    after_ponderhit: clock.filter(|_| held_back),
                    held_back: held_back.then_some(hold),
                });
                let search = Search { game: game.clone(), limits, wishes };
                self.send(Task::Think(Box::new(search), released));
            }
            // A GUI waits for a move whatever it has sent, after that of an earlier search; `position` has said why there is
            // none.
            Err(_) => self.send(Task::Nothing),
        }
    }

    /// Asks the player to stop if it is thinking.
    fn stop(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.raise();
        }
    }

    /// Hands on a task when there is room for it: soon, since whatever was running has been stopped.
    fn send(&self, task: Task) {
        // The thinking thread ends only when this end of the channel is dropped.
        let _ = self.thinker.send(task);
    }
}

/// The option of players without a clock of their own: whether the machine's time counts, or the clock of the `go`.
const TIME: &str = "Time";

/// What a `go` says.
#[derive(Default)]
struct Wishes {
    depth: Option<u32>,
    positions: Option<u64>,
    /// A mate in this many moves is looked for.
    mate: Option<u32>,
    among: Vec<Move>,
    /// The time for the move.
    time: Option<Duration>,
    /// The move is held back until `stop` or `ponderhit`.
    held_back: bool,
}

impl Wishes {
    /// Reads what follows `go`. Unreadable numbers and illegal moves are left out.
    fn read(rest: &str, game: &Game) -> Wishes {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let after =
            |name: &str| words.iter().position(|&word| word == name).map_or(&[][..], |index| &words[index + 1..]);
        let number = |name: &str| after(name).first().and_then(|value| value.parse::<u64>().ok());
        let (left, increment) = game.turn().fold_wb(("wtime", "winc"), ("btime", "binc"));
        let of_clock = || {
            // python-chess and others send a clock that has run out as a negative number.
            let left = after(left).first()?.parse::<i64>().ok()?.max(0).unsigned_abs();
            let share = (left / 30).saturating_add(number(increment).unwrap_or(0) / 4 * 3);
            Some(share.min(left.saturating_sub(RESERVE) / 2))
        };
        let legal = |name: &&str| name.parse::<UciMove>().ok()?.to_move(game.position()).ok();
        Wishes {
            depth: number("depth").map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
            positions: number("nodes"),
            mate: number("mate").map(|moves| u32::try_from(moves).unwrap_or(u32::MAX).min(LONGEST_MATE)),
            among: after("searchmoves").iter().map_while(legal).collect(),
            time: number("movetime").or_else(of_clock).map(Duration::from_millis),
            held_back: words.iter().any(|&word| matches!(word, "infinite" | "ponder")),
        }
    }
}

/// The longest mate that is looked for, in moves.
const LONGEST_MATE: u32 = 50;

/// The time kept back for the way to the GUI and for a busy computer, in milliseconds: with no more than this left, the
/// answer comes at once.
const RESERVE: u64 = 100;

/// Tasks that wait for the player.
const MOST_WAITING: usize = 8;

/// How long a stopped player's move is awaited after `quit`.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Starts the thread that thinks. The last channel closes when it ends.
fn start(
    player: Box<dyn Player>,
    window: Window,
) -> io::Result<(SyncSender<Task>, JoinHandle<()>, Receiver<Infallible>)> {
    let (sender, receiver) = mpsc::sync_channel(MOST_WAITING);
    let (alive, silent) = mpsc::channel();
    let thread = thread::Builder::new().spawn(move || {
        let _alive = alive;
        think(player, &receiver, &window);
    });
    let thread = thread.map_err(|error| io::Error::new(error.kind(), format!("no thread to think on: {error}")))?;
    Ok((sender, thread, silent))
}

/// The thinking thread: carries out one command after the other.
fn think(mut player: Box<dyn Player>, tasks: &Receiver<Task>, window: &Window) {
    for task in tasks {
        let said = match task {
            Task::NewGame => {
                player.new_game();
                Ok(())
            }
            Task::Nothing => window.say("bestmove (none)"),
            Task::Set(name, value) => match player.set_option(&name, &value) {
                Ok(()) => Ok(()),
                Err(reason) => window.say(&format!("info string option {name} not set: {reason}")),
            },
            Task::Think(search, released) => {
                let begun = Instant::now();
                let chosen = ask(player.as_mut(), &search, begun, window);
                // It ends with an error, since nothing is ever sent.
                let _ = released.recv();
                window.say(&answer(&search, &chosen, begun.elapsed().as_millis()))
            }
        };
        if said.is_err() {
            return;
        }
    }
}

/// Asks the player, and reports to the GUI each depth searched and, every second, the progress.
fn ask(player: &mut dyn Player, search: &Search, begun: Instant, window: &Window) -> Result<Choice, PlayerError> {
    let Search { game, limits, wishes } = search;
    if game.position().legal_moves().is_empty() {
        return Err(PlayerError::Position("there is no legal move".into()));
    }
    let tell = |progress: &Progress| {
        let (score, line) = progress.best.clone().unzip();
        let time = begun.elapsed().as_millis();
        // If the GUI is gone, the answer will show it.
        let _ = window.say(&info(progress.depth, score, progress.nodes, time, &line.unwrap_or_default()));
    };
    let question = Question {
        limits: limits.clone(),
        depth: wishes.depth,
        positions: wishes.positions,
        among: wishes.among.clone(),
        tell: Some(&tell),
    };
    thread::scope(|scope| {
        let (done, waiting) = mpsc::channel::<()>();
        let every_second = move || {
            while waiting.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                let _ = window.say(&info(0, None, limits.done().positions, begun.elapsed().as_millis(), &[]));
            }
        };
        // If no thread can be started, nothing is reported.
        let _ = thread::Builder::new().spawn_scoped(scope, every_second);
        let mating = wishes.mate.and_then(|moves| mate(search, moves, window));
        let chosen = mating.map_or_else(|| player.answer(game, &question), Ok);
        drop(done);
        chosen
    })
}

/// A move that mates in at most so many moves, whoever plays: Algorithm 50 looks for it.
fn mate(search: &Search, moves: u32, window: &Window) -> Option<Choice> {
    let Search { game, limits, wishes } = search;
    let problem = Problem::from_fen(&game.fen()).ok()?;
    // This search is ours: it obeys the clock even where the machine's time counts, and leaves half of it to the program.
    let half = limits.time_left().map(|left| left / 2);
    let time = half.into_iter().chain(wishes.time.filter(|_| !wishes.held_back)).min();
    let limits = &time.map_or_else(|| limits.clone(), |time| limits.afresh().with_timeout(time));
    let found = solve_shortest(&problem, moves, limits).ok()?;
    let legal = |key: &algorithm50::Move| game.read_uci(&key.to_string())?.ok();
    let mut keys = found.1.keys.iter().filter_map(legal);
    let Some(best) = keys.find(|key| wishes.among.is_empty() || wishes.among.contains(key)) else {
        // If the GUI is gone, the answer will show it.
        let _ = window.say(&format!("info string no mate in {moves}: the program's own move"));
        return None;
    };
    let reason = sentence!("mate in {moves}", moves = found.0);
    let choice = Choice::new(best, reason, found.1.positions_visited.total(), 2 * found.0 - 1);
    Some(Choice { score: Some(Score::Mate(i32::try_from(found.0).unwrap_or(i32::MAX))), ..choice })
}

/// `info depth 3 score cp 100 nodes 500 time 12 pv e2e4 e7e5`
fn info(depth: u32, score: Option<Score>, nodes: u64, milliseconds: u128, line: &[Move]) -> String {
    let mut info = "info".to_owned();
    if depth > 0 {
        info.push_str(&format!(" depth {depth}"));
    }
    match score {
        Some(Score::Centipawns(centipawns)) => info.push_str(&format!(" score cp {centipawns}")),
        Some(Score::Mate(moves)) => info.push_str(&format!(" score mate {moves}")),
        None => {}
    }
    info.push_str(&format!(" nodes {nodes} time {milliseconds}"));
    for (index, &played) in line.iter().enumerate() {
        info.push_str(&format!("{} {}", if index == 0 { " pv" } else { "" }, legal::to_uci(played)));
    }
    info
}

/// The lines that answer a `go`. The protocol demands a move in any position with legal moves.
fn answer(search: &Search, chosen: &Result<Choice, PlayerError>, milliseconds: u128) -> String {
    let choice = match chosen {
        Ok(choice) => choice,
        Err(refused) => {
            let legal = search.game.position().legal_moves();
            return match search.wishes.among.first().or(legal.first()) {
                Some(&first) => {
                    format!("info string no move: {refused}; the first legal one\nbestmove {}", legal::to_uci(first))
                }
                None => format!("info string no move: {refused}\nbestmove (none)"),
            };
        }
    };
    let best = [(choice.best, choice.score)];
    let moves = best.into_iter().chain(choice.others.iter().copied()).zip(1..);
    let mut lines: Vec<String> = moves
        .map(|((played, score), rank)| {
            let line = info(choice.depth, score, choice.nodes, milliseconds, &[played]);
            let rank = if choice.others.is_empty() { String::new() } else { format!("multipv {rank} ") };
            line.replacen("nodes ", &(rank + "nodes "), 1)
        })
        .collect();
    if let (Some(clock), Some(time)) = (&choice.clock, choice.time()) {
        let (machine, seconds) =
            (if choice.model == Model::M220 { "M-220" } else { "M-20" }, time.microseconds() / 1e6);
        lines.push(format!("info string {machine} time {seconds:.2} s, {} instructions", clock.instructions));
    }
    lines.push(format!("info string {}", choice.reason));
    if !search.wishes.among.is_empty() && !search.wishes.among.contains(&choice.best) {
        lines.push("info string the program chooses from all moves: it cannot be kept to searchmoves".to_owned());
    }
    lines.push(format!("bestmove {}", legal::to_uci(choice.best)));
    lines.join("\n")
}

/// Reads what follows `position`: `startpos` or `fen` and a FEN, then `moves` and the moves.
/// Returns what was put right in the FEN too.
fn read_position(rest: &str) -> Result<(Game, Vec<Sentence>), String> {
    let (start, moves) = match rest.split_once("moves") {
        Some((start, moves)) => (start.trim(), moves),
        None => (rest.trim(), ""),
    };
    let (start, notes) = match split_word(start) {
        ("startpos", _) => (Chess::default(), Vec::new()),
        ("fen", text) => read_legal(text).map_err(|error| format!("'{text}' is {error}"))?,
        _ => return Err("expected startpos, or fen and six fields".to_owned()),
    };
    let mut game = Game::new(start);
    for (number, text) in (1..).zip(moves.split_whitespace()) {
        let next = game.read_move(text).map_err(|error| format!("move {number}: {error}"))?;
        game.play(next).map_err(|error| format!("move {number}: {error}"))?;
    }
    Ok((game, notes))
}

/// The first word, and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_the_side_to_move_counts() {
        let time = |rest: &str| Wishes::read(rest, &Game::default()).time.map(|time| time.as_millis());
        assert_eq!(time("wtime 60000 btime 30 winc 2000 binc 1"), Some(3_500));
        assert_eq!(time("wtime 200 btime 30000 winc 2000"), Some(50), "never more than half of what is left");
        assert_eq!(time("wtime 90 btime 30000 winc 2000"), Some(0));
        assert_eq!(time("wtime -5 btime 30"), Some(0));
        assert_eq!(time("movetime 250"), Some(250));
        assert_eq!(time("depth 3"), None);
        assert_eq!(time("wtime soon"), None);
    }

    #[test]
    fn an_impossible_right_is_dropped_and_told() {
        let (game, notes) = read_position("fen 4k3/8/8/8/8/8/8/4K2R w KQ - 0 1 moves e1g1").unwrap();
        assert_eq!(game.fen(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
        let told: Vec<String> = notes.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["castling right Q dropped: it needs the king on e1 and a rook on a1"]);
        assert!(read_position("fen 44/8/8/8/8/8/8/K6k w - - 0 1").is_err());
    }

    #[test]
    fn wishes_are_read_in_any_order() {
        let wishes = Wishes::read("searchmoves e2e4 d2d4 nodes 500 depth 2 infinite", &Game::default());
        let names: Vec<String> = wishes.among.iter().copied().map(|each| legal::to_uci(each).to_string()).collect();
        assert_eq!((wishes.depth, wishes.positions, names.join(" ").as_str()), (Some(2), Some(500), "e2e4 d2d4"));
        assert!(wishes.held_back && wishes.time.is_none());
    }
}
