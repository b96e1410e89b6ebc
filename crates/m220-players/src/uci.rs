//! The Universal Chess Interface: a player in any chess GUI.
//!
//! One thread reads commands and answers at once; the player thinks on another. So `stop`, `isready` and `quit` are
//! answered in the middle of a long run of the machine.
//!
//! Only a player with [`Player::heeds_clock`] obeys the clock of a `go`; historical programs ignore it.
//! `go infinite` holds back the move until `stop`, as the protocol demands.

use crate::game::Game;
use crate::player::{Choice, Player, PlayerError, PlayerOption, Score};
use chess_reference::Placement;
use chess_reference::legal;
use m220_limits::{Interrupt, Limits};
use shakmaty::{Chess, Position};
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The engine's author, for `id author`.
pub const AUTHOR: &str = "the M-220 chess laboratory";

/// Speaks the protocol until `quit` or the end of the input. With a `limit` the player is stopped after that time for a
/// move, whatever the clocks say; if it then has no move, it answers as after `stop`. A player still thinking at the end is
/// left running, since the process is about to exit.
///
/// # Errors
/// [`io::Error`] if the input cannot be read, or the system has no thread to think on. Output that cannot be written ends the session without an error: the
/// GUI has been closed.
pub fn session(
    player: Box<dyn Player>,
    limit: Option<Duration>,
    input: impl BufRead,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let window = Window(Arc::new(Mutex::new(Box::new(output))));
    let mut host = Host {
        name: player.name(),
        options: player.options(),
        heeds_clock: player.heeds_clock(),
        limit,
        thinker: start(player, window.clone())?,
        window,
        game: Ok(Game::default()),
        thinking: None,
    };
    for line in input.lines() {
        match host.command(&line?) {
            Ok(true) => {}
            Ok(false) | Err(_) => break,
        }
    }
    host.stop();
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
    /// Choose a move.
    Think(Box<Game>, Limits, Arc<Thinking>),
    /// Forget the last game.
    NewGame,
    /// Set an option: name and value.
    Set(String, String),
}

/// A search under way.
struct Thinking {
    stop: Interrupt,
    /// The move may be sent: in an infinite search, only after `stop`.
    released: Mutex<bool>,
    changed: Condvar,
}

impl Thinking {
    fn released(&self) -> MutexGuard<'_, bool> {
        self.released.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn release(&self) {
        *self.released() = true;
        self.changed.notify_all();
    }

    fn wait_until_released(&self) {
        let mut released = self.released();
        while !*released {
            released = self.changed.wait(released).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The thread that reads commands.
struct Host {
    name: String,
    options: Vec<PlayerOption>,
    heeds_clock: bool,
    /// The longest that the player may think about a move.
    limit: Option<Duration>,
    thinker: Sender<Task>,
    window: Window,
    /// The game so far, or why there is none.
    game: Result<Game, String>,
    thinking: Option<Arc<Thinking>>,
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
                if let Some(thinking) = &self.thinking {
                    thinking.release();
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
        self.window.say("uciok")
    }

    fn set_option(&mut self, rest: &str) -> io::Result<()> {
        let named = rest.trim().strip_prefix("name ").unwrap_or(rest);
        let (name, value) = named.split_once(" value ").unwrap_or((named, ""));
        self.send(Task::Set(name.trim().to_owned(), value.trim().to_owned()));
        Ok(())
    }

    fn position(&mut self, rest: &str) -> io::Result<()> {
        self.game = read_position(rest);
        match &self.game {
            Ok(_) => Ok(()),
            Err(reason) => self.window.say(&format!("info string position rejected: {reason}")),
        }
    }

    fn go(&mut self, rest: &str) {
        self.stop();
        let held_back = rest.split_whitespace().any(|word| matches!(word, "infinite" | "ponder"));
        let thinking = Arc::new(Thinking {
            stop: Interrupt::default(),
            released: Mutex::new(!held_back),
            changed: Condvar::new(),
        });
        match &self.game {
            Ok(game) => {
                let clock = time_for_move(rest, game).filter(|_| self.heeds_clock && !held_back);
                let limits = Limits::default().with_interrupt(&thinking.stop);
                let limits = clock.into_iter().chain(self.limit).fold(limits, |limits, time| limits.with_timeout(time));
                self.send(Task::Think(Box::new(game.clone()), limits, thinking.clone()));
                self.thinking = Some(thinking);
            }
            Err(_) => {
                // A GUI waits for a move whatever it has sent; why there is none `position` has said.
                let _ = self.window.say("bestmove (none)");
            }
        }
    }

    /// Asks the player to stop if it is thinking.
    fn stop(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.raise();
            thinking.release();
        }
    }

    fn send(&self, task: Task) {
        // The thinking thread ends only when this end of the channel is dropped.
        let _ = self.thinker.send(task);
    }
}

/// The time for a move by the clock of a `go`: `movetime`, or a thirtieth of the time left plus most of the
/// increment. `None` without a clock.
fn time_for_move(rest: &str, game: &Game) -> Option<Duration> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let number = |name: &str| {
        let value = words.iter().position(|&word| word == name).and_then(|index| words.get(index + 1));
        value.and_then(|value| value.parse::<u64>().ok())
    };
    let (left, increment) = game.turn().fold_wb(("wtime", "winc"), ("btime", "binc"));
    let of_clock = || number(left).map(|left| (left / 30).saturating_add(number(increment).unwrap_or(0) / 4 * 3));
    number("movetime").or_else(of_clock).map(Duration::from_millis)
}

/// Starts the thread that thinks.
fn start(player: Box<dyn Player>, window: Window) -> io::Result<Sender<Task>> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().spawn(move || think(player, &receiver, &window))?;
    Ok(sender)
}

/// The thinking thread: carries out one command after the other.
fn think(mut player: Box<dyn Player>, tasks: &Receiver<Task>, window: &Window) {
    for task in tasks {
        let said = match task {
            Task::NewGame => {
                player.new_game();
                Ok(())
            }
            Task::Set(name, value) => match player.set_option(&name, &value) {
                Ok(()) => Ok(()),
                Err(reason) => window.say(&format!("info string option {name} not set: {reason}")),
            },
            Task::Think(game, limits, thinking) => {
                let begun = Instant::now();
                let chosen = match game.position().legal_moves().is_empty() {
                    true => Err(PlayerError::Position("there is no legal move".to_owned())),
                    false => player.choose(&game, &limits),
                };
                thinking.wait_until_released();
                window.say(&answer(&game, &chosen, begun.elapsed().as_millis()))
            }
        };
        if said.is_err() {
            return;
        }
    }
}

/// The lines that answer a `go`.
fn answer(game: &Game, chosen: &Result<Choice, PlayerError>, milliseconds: u128) -> String {
    let choice = match chosen {
        Ok(choice) => choice,
        Err(PlayerError::Interrupted) => {
            // The protocol demands a move.
            let any = game
                .position()
                .legal_moves()
                .first()
                .map_or("(none)".to_owned(), |&legal| legal::to_uci(legal).to_string());
            return format!(
                "info string stopped before the program had valued a move; playing any legal one\nbestmove {any}"
            );
        }
        Err(refused) => return format!("info string no move: {refused}\nbestmove (none)"),
    };
    let best = legal::to_uci(choice.best).to_string();
    let mut info = "info".to_owned();
    if choice.depth > 0 {
        info.push_str(&format!(" depth {}", choice.depth));
    }
    match choice.score {
        Some(Score::Centipawns(centipawns)) => info.push_str(&format!(" score cp {centipawns}")),
        Some(Score::Mate(moves)) => info.push_str(&format!(" score mate {moves}")),
        None => {}
    }
    info.push_str(&format!(" nodes {} time {milliseconds} pv {best}", choice.nodes));
    let mut lines = vec![info];
    if let Some(clock) = &choice.clock {
        let seconds = clock.m220.microseconds() / 1e6;
        lines.push(format!("info string M-220 time {seconds:.2} s, {} instructions", clock.instructions));
    }
    lines.push(format!("info string {}", choice.reason));
    lines.push(format!("bestmove {best}"));
    lines.join("\n")
}

/// Reads what follows `position`: `startpos` or `fen` and a FEN, then `moves` and the moves.
fn read_position(rest: &str) -> Result<Game, String> {
    let (start, moves) = match rest.split_once("moves") {
        Some((start, moves)) => (start.trim(), moves),
        None => (rest.trim(), ""),
    };
    let start = match split_word(start) {
        ("startpos", _) => Chess::default(),
        ("fen", text) => read_fen(text).map_err(|error| format!("'{text}' is {error}"))?,
        _ => return Err("expected startpos, or fen and six fields".to_owned()),
    };
    let mut game = Game::new(start);
    for (number, text) in (1..).zip(moves.split_whitespace()) {
        let next = game.read_move(text).map_err(|error| format!("move {number}: {error}"))?;
        game.play(next).map_err(|error| format!("move {number}: {error}"))?;
    }
    Ok(game)
}

/// A position of chess from a FEN.
///
/// # Errors
/// The reason, in words, if it is not one.
pub fn read_fen(text: &str) -> Result<Chess, String> {
    let position = Placement::from_fen(text).map_err(|error| error.to_string())?;
    // An en-passant square that no pawn can use is not an error: GUIs send it after every double step.
    let strict = Chess::try_from(&position);
    let legal = strict.or_else(|_| Chess::try_from(&Placement { ep_square: None, ..position }));
    legal.map_err(|error| format!("not a legal position: {error}"))
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
        let time = |rest: &str| time_for_move(rest, &Game::default()).map(|time| time.as_millis());
        assert_eq!(time("wtime 60000 btime 30 winc 2000 binc 1"), Some(3_500));
        assert_eq!(time("movetime 250"), Some(250));
        assert_eq!(time("depth 3"), None);
        assert_eq!(time("wtime soon"), None);
    }
}
