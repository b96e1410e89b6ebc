//! `m220 play game`.

use crate::files::claims::FileUse;
use crate::files::{self, is_same_file};
use crate::options::player::{PlayerOptions, playing_program, program_names};
use crate::prelude::*;
use crate::terminal::diagram;
use crate::terminal::input::{self, Lines};
use chess_reference::legal;
use chess_reference::names::side_name;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use m220_answers::position::{GivenPosition, game_of};
use m220_isa::HalfMicroseconds;
use m220_players::game::Game;
use m220_players::pgn::{self, GameRecord, Reading};
use m220_players::{Choice, GameTable, Player, PlayerError, PlayerRow, player_named};
use shakmaty::{Position, Square};
use std::io::{BufReader, Read};
use std::iter;
use std::ops::ControlFlow::{self, Break, Continue};
use std::time::{Duration, Instant, SystemTime};

/// Play a whole game, with you or a program on each side
///
/// Your moves are read from standard input, one per line, as e2e4 or e4; besides moves: board, moves, clock, undo, save
/// FILE, resign, quit. At a terminal a line that makes no sense is explained and asked for again; from a pipe or a file
/// it ends the game with exit code 3, so that no later move is played in the wrong position. With --pgn the game in the
/// file is continued. The game is printed as PGN at the end, with the machine's time for each move. Between two
/// programs standard output has nothing else, and the moves are shown on standard error.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 play game --white you --black bell --board
  m220 play game --white bell --black map --moves 20")]
pub struct Args {
    /// Who plays White
    #[arg(long, default_value = "you", value_parser = seat())]
    white: Seat,
    /// Who plays Black
    #[arg(long, default_value = "bell", value_parser = seat())]
    black: Seat,
    #[command(flatten)]
    options: GameOptions,
}

/// A game against one program.
#[derive(clap::Args)]
pub struct OpponentArgs {
    /// Play a game against this program: the short form of `m220 play game`
    #[arg(long, value_parser = playing_program())]
    program: Option<&'static PlayerRow>,
    /// The program's side
    #[arg(long, value_name = "COLOUR", default_value = "black", value_parser = parser::<Color>(), requires = "program")]
    colour: Color,
    #[command(flatten)]
    options: GameOptions,
}

/// A game, whoever plays.
#[derive(clap::Args)]
pub struct GameOptions {
    #[command(flatten)]
    position: GivenPosition,
    /// End the game after this many moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    moves: Option<u32>,
    /// Save the score to this file after every move
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Show the board before each of your moves and at the end; between two programs, after each pair of moves
    #[arg(long)]
    board: bool,
    /// Show the board from Black's side
    #[arg(long)]
    flip: bool,
    /// Whether to wait as long as the machine would have thought
    #[arg(long, value_enum, default_value_t)]
    speed: Speed,
    #[command(flatten)]
    player: PlayerOptions,
}

/// Who plays a side: a program, or you.
type Seat = Option<&'static PlayerRow>;

fn seat() -> impl TypedValueParser<Value = Seat> {
    let you = PossibleValue::new("you").help("You, through standard input");
    PossibleValuesParser::new(iter::once(you).chain(program_names())).map(|name| player_named(&name))
}

/// How fast the machine's moves come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Speed {
    /// As fast as this computer allows.
    #[default]
    Fast,
    /// As slowly as the machine was.
    Real,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    play([args.white, args.black], &args.options, session, out)
}

/// Runs the short form.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn against(args: &OpponentArgs, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    if args.program.is_none() {
        let text = "expected a subcommand (game, best, history), or --program NAME to play against";
        return Err(Failure::Usage(text.to_owned()));
    }
    let (program, you) = (args.program, None);
    play(args.colour.fold_wb([program, you], [you, program]), &args.options, session, out)
}

fn play(seats: [Seat; 2], args: &GameOptions, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let mut files = Vec::new();
    let mut table = GameTable::of(beginning(args, &mut files, session)?);
    let mut players = Vec::new();
    for (seat, tag) in seats.into_iter().zip(["White", "Black"]) {
        let player = seat.map(|program| args.player.player(program, session)).transpose()?;
        // A recorded game keeps its players' names.
        if table.tag(tag).is_none_or(|name| name == "?") {
            table.set_tag(tag, player.as_ref().map_or_else(|| "you".to_owned(), |player| player.name()));
        }
        players.push(player);
    }
    table.set_date(SystemTime::now());
    let mut play = Play {
        args,
        session,
        table,
        last: None,
        lines: None,
        line: 0,
        turn_began: Instant::now(),
        explained: Vec::new(),
        files,
    };
    // Standard output has the score alone if nobody is there to be talked to and it may go into a file.
    let mut aside = players.iter().all(Option::is_some).then(|| Output::stderr(session));
    let ended = play.on(&mut players, aside.as_mut().unwrap_or(out));
    // Whatever happened, the game must not be lost.
    let saved = play.save();
    let gap = if aside.is_some() { "" } else { "\n" };
    writeln!(out, "{gap}{}", play.table.record().to_pgn().trim_end())?;
    out.flush()?;
    let exit = ended?;
    saved?;
    Ok(exit)
}

/// The game to begin with.
fn beginning(args: &GameOptions, files: &mut Vec<PathBuf>, session: &Session) -> Result<GameRecord, Failure> {
    let host = Terminal::new(&Words::default(), session);
    let context = Context::new(session.limits(), &host);
    if let Some(path) = args.position.source.pgn.as_deref() {
        let (before, how) = (args.position.before.map(|place| place.0), args.position.how);
        let from: Box<dyn Read> = match &args.save {
            // The same score is continued.
            Some(save) if is_same_file(save, path) => {
                session.claim(path, FileUse::Written)?;
                let reading = Reading { limits: session.limits(), ..Reading::default() };
                let games = pgn::games(BufReader::new(session.open_claimed(path)?), reading).take(2).count();
                let lost = match (games, before) {
                    (2.., _) => Some("has other games too; save this one to another file"),
                    (_, Some(_)) => Some("--move leaves out the game's later moves; save it to another file"),
                    _ => None,
                };
                if let Some(lost) = lost {
                    return Err(Failure::Usage(format!("--save {}: {lost}", path.display())));
                }
                files.push(path.to_owned());
                session.open_claimed(path)?
            }
            _ => session.open_file(path)?,
        };
        return Ok(game_of(path, BufReader::new(from), before, how, &context)?);
    }
    let game = match args.position.read(&Context::new(session.limits(), &host))? {
        None => Game::default(),
        Some(given) => Game::new(legal::of_fen(&given.placement.to_fen()).map_err(|reason| given.refused_by(reason))?),
    };
    Ok(GameRecord::from(game))
}

/// A game under way.
struct Play<'a> {
    args: &'a GameOptions,
    session: &'a Session,
    table: GameTable,
    /// The number of half-moves after which the game is ended.
    last: Option<usize>,
    /// The lines of standard input, opened on demand.
    lines: Option<Lines>,
    /// The line of standard input read last.
    line: usize,
    /// When the turn of the side to move began.
    turn_began: Instant,
    /// The players whose figures have been explained.
    explained: Vec<String>,
    /// The files that the score has been or will be written to.
    files: Vec<PathBuf>,
}

impl Play<'_> {
    /// Plays until the game is over or broken off.
    fn on(&mut self, players: &mut [Option<Box<dyn Player>>], out: &mut Output) -> Result<Exit, Failure> {
        let listening = self.session.listen();
        let begun = self.table.game().moves().len();
        self.last = self.args.moves.map(|moves| begun + 2 * moves as usize);
        if players.iter().any(Option::is_none) && input::is_typed() {
            writeln!(out, "help lists what can be typed besides moves")?;
        }
        self.show_board(out)?;
        while self.table.end().is_none() && self.last.is_none_or(|last| self.table.game().moves().len() < last) {
            let turn = self.table.game().turn();
            let against_person = players[turn.fold_wb(1, 0)].is_none();
            match &mut players[turn.fold_wb(0, 1)] {
                Some(player) => {
                    let chosen = match self.program_moves(player.as_mut()) {
                        // The program has no answer: the person may try another move.
                        Err(Failure::NoVerdict(reason))
                            if against_person && input::is_typed() && self.table.game().moves().len() > begun =>
                        {
                            self.session.warn(&format!("{reason}; your move is taken back"));
                            self.table.undo();
                            continue;
                        }
                        other => other?,
                    };
                    let Some(choice) = chosen else { break };
                    self.wait(player.as_ref(), &choice);
                    self.show_move(Some((player.as_ref(), &choice)), out)?;
                    let pause = turn.is_black() || players.iter().any(Option::is_none);
                    if pause || self.table.end().is_some() {
                        self.show_board(out)?;
                    }
                }
                None => {
                    if self.you_move(players, out)?.is_break() {
                        break;
                    }
                }
            }
            if self.session.must_end() {
                break;
            }
            self.save()?;
        }
        drop(listening);
        if self.session.must_end() {
            let signal = self.session.spoken().say(&self.session.signal());
            self.session.warn(&format!("{signal}: the game is abandoned"));
        }
        if let Some(end) = self.table.end() {
            writeln!(out, "{end}: {}", end.result())?;
        }
        Ok(Exit::Done)
    }

    /// The program's move; `None` if a signal came in the meantime.
    fn program_moves(&mut self, player: &mut dyn Player) -> Result<Option<Choice>, Failure> {
        let limits = self.session.limits();
        let limits = self.args.player.timeout.map_or(limits.clone(), |time| limits.with_timeout(time));
        let side = side_name(self.table.game().turn());
        self.session.begin_progress();
        self.session.at(format!("move {}, {side}: {} thinks", self.table.game().number(), player.name()));
        let chosen = self.table.ask(player, &limits.afresh());
        self.session.end_progress();
        match chosen {
            Ok(choice) => Ok(Some(choice)),
            Err(PlayerError::Interrupted) if self.session.must_end() => Ok(None),
            Err(PlayerError::Interrupted) => {
                let reason = "the time limit was reached (--timeout) before a move was found";
                Err(Failure::NoVerdict(format!("{}: {reason}", player.name())))
            }
            Err(refused @ PlayerError::Position(_)) => {
                Err(Failure::BadInput(format!("{}: {refused} (FEN {})", player.name(), self.table.game().fen())))
            }
            Err(refused @ PlayerError::Machine(_)) => Err(Failure::NoVerdict(format!("{}: {refused}", player.name()))),
        }
    }

    /// With --speed real: waits for the rest of the machine's time, and shows its clock.
    fn wait(&self, player: &dyn Player, choice: &Choice) {
        let Some(time) = choice.time().filter(|_| self.args.speed == Speed::Real) else { return };
        let machine = Duration::from_micros(time.0 / 2);
        self.session.begin_progress();
        while self.turn_began.elapsed() < machine && !self.session.must_end() {
            self.session.at(format!("{} thinks, its clock {}", player.name(), clock_text(self.turn_began.elapsed())));
            std::thread::sleep(input::TICK.min(machine.saturating_sub(self.turn_began.elapsed())));
        }
        self.session.end_progress();
    }

    /// Reads a line from the keyboard and obeys it; the game ends with the last line, or `quit`.
    fn you_move(&mut self, players: &[Option<Box<dyn Player>>], out: &mut Output) -> Result<ControlFlow<()>, Failure> {
        let typed = input::is_typed();
        if typed {
            write!(out, "{} {}> ", self.table.game().number(), side_name(self.table.game().turn()))?;
        }
        out.flush()?;
        let Some(read) = self.lines.get_or_insert_with(|| input::lines(self.session)).next() else {
            if typed {
                writeln!(out)?;
            }
            return Ok(Break(()));
        };
        self.line += 1;
        let text = read.map_err(|error| Failure::BadInput(format!("standard input, line {}: {error}", self.line)))?;
        match self.obey(text.trim(), players, out) {
            Err(failure @ (Failure::BadInput(_) | Failure::Usage(_) | Failure::Output(_))) if typed => {
                self.session.warn(&failure.to_string());
                Ok(Continue(()))
            }
            Err(Failure::BadInput(reason)) => {
                Err(Failure::BadInput(format!("standard input, line {}: {reason}", self.line)))
            }
            other => other,
        }
    }

    /// Obeys a command or plays a move.
    fn obey(
        &mut self,
        text: &str,
        players: &[Option<Box<dyn Player>>],
        out: &mut Output,
    ) -> Result<ControlFlow<()>, Failure> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "" => {}
            "quit" => return Ok(Break(())),
            "resign" => self.table.resign(self.table.game().turn()),
            "undo" => self.undo(players.iter().all(Option::is_none), out)?,
            "board" => self.draw(out)?,
            "moves" => writeln!(out, "{}", legal_moves(self.table.game()))?,
            "clock" => {
                for side in Color::ALL {
                    let thinks = self.thought().filter(|_| side == self.table.game().turn());
                    let time = self.table.clock(side) + thinks.unwrap_or_default();
                    writeln!(out, "{:<6} {}", side_name(side), pgn::elapsed(time))?;
                }
            }
            "save" if rest.trim().is_empty() => {
                return Err(Failure::BadInput("save: expected the name of a file".to_owned()));
            }
            "save" => self.write(rest.trim().as_ref())?,
            "help" => writeln!(out, "a move (e2e4, e4, Nf3, O-O), board, moves, clock, undo, save FILE, resign, quit")?,
            _ => {
                let game = self.table.game();
                let played = game.read_typed(text).map_err(Failure::wrong)?;
                for player in players.iter().flatten() {
                    player.accepts(game, played).map_err(|reason| Failure::BadInput(format!("{text}: {reason}")))?;
                }
                let thought = self.thought();
                self.table.play(text, thought).map_err(Failure::wrong)?;
                self.show_move(None, out)?;
                if self.table.end().is_some() || players.iter().all(Option::is_none) {
                    self.show_board(out)?;
                }
            }
        }
        Ok(Continue(()))
    }

    /// Takes back to the last position with the same side to move, or one half-move if people play both sides.
    fn undo(&mut self, one: bool, out: &mut Output) -> Result<(), Failure> {
        let turn = self.table.game().turn();
        if !self.table.undo() {
            return Err(Failure::BadInput("undo: no move has been made".to_owned()));
        }
        if !one && self.table.game().turn() != turn {
            self.table.undo();
        }
        let game = self.table.game();
        writeln!(out, "taken back to move {}{}", game.number(), game.turn().fold_wb("", "..."))?;
        self.show_board(out)
    }

    /// How long the person at the keyboard has thought; nobody thinks at the end of a pipe.
    fn thought(&self) -> Option<HalfMicroseconds> {
        let time = u64::try_from(self.turn_began.elapsed().as_micros()).unwrap_or(u64::MAX / 2);
        input::is_typed().then_some(HalfMicroseconds(2 * time))
    }

    /// The last move with its cost, and at a program's first move the meaning of its figures.
    fn show_move(&mut self, choice: Option<(&dyn Player, &Choice)>, out: &mut Output) -> Result<(), Failure> {
        self.turn_began = Instant::now();
        let Some((position, played)) = self.table.game().steps().last() else { return Ok(()) };
        let score = legal::numbered(position, &[played]);
        match choice {
            None => writeln!(out, "{score}")?,
            Some((player, choice)) => {
                let time = choice.time().filter(|time| time.0 > 0).map(pgn::elapsed).unwrap_or_default();
                writeln!(out, "{}", format!("{score:<14}{time:<12}{}", choice.reason).trim_end())?;
                if let Some(legend) = player.legend().filter(|_| !self.explained.contains(&player.name())) {
                    self.explained.push(player.name());
                    writeln!(out, "{}", wrap::fill(&format!("({legend})"), 1))?;
                }
            }
        }
        out.flush()?;
        Ok(())
    }

    fn show_board(&self, out: &mut Output) -> Result<(), Failure> {
        if self.args.board { self.draw(out) } else { Ok(()) }
    }

    fn draw(&self, out: &mut Output) -> Result<(), Failure> {
        let below = Color::from_black(self.args.flip);
        let last = self.table.game().moves().last();
        let squares: Vec<Square> = last.into_iter().flat_map(|last| [last.from(), Some(last.to())]).flatten().collect();
        write!(out, "\n{}\n", diagram::small(self.table.game().position().board(), below, &squares))?;
        Ok(())
    }

    /// Writes the score to the file of --save.
    fn save(&mut self) -> Result<(), Failure> {
        match &self.args.save {
            Some(path) => self.write(path),
            None => Ok(()),
        }
    }

    /// Writes the score into a file.
    fn write(&mut self, path: &Path) -> Result<(), Failure> {
        let known = self.files.iter().position(|file| is_same_file(file, path));
        let index = known.unwrap_or(self.files.len());
        if known.is_none() {
            self.session.claim(path, FileUse::Written)?;
            self.files.push(path.to_owned());
        }
        files::commit(vec![self.session.staged(&self.files[index])?.filled(&self.table.record().to_bytes())?])
    }
}

/// `0:01:12`
fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The legal moves in standard algebraic notation.
fn legal_moves(game: &Game) -> String {
    let moves = game.position().legal_moves();
    let names: Vec<String> = moves.into_iter().map(|legal| legal::san(game.position(), legal)).collect();
    names.join(" ")
}
