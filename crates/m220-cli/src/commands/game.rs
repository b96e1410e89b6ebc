//! `m220 game`.

use crate::prelude::*;
use crate::terminal::{html, said};
use chess_reference::names::colour_name;
use clap::ValueEnum;
use m220_answers::game::table::{Change, StyleShare};
use m220_answers::game::{
    Counted, Effort, HalfMove, Looking, Machine, Player, Row, Tally, USUAL_SHARE, annotated, game_id, player, sentence,
    title,
};
use m220_answers::said::{Column, Part, Row as TableRow, Said};
use m220_compare::Shard;
use m220_panel::PIECES;
use m220_players::pgn::{self, GameRecord, Games, PgnError, Reading};
use rayon::prelude::*;
use serde::Deserialize;
use shakmaty::Position;
use std::cell::RefCell;
use std::io::{BufRead, BufReader};
use std::num::NonZeroUsize;

/// See a whole game as the machine of 1968 would have seen it: each move's aim, its horizon, and the machine's own move
///
/// For each half-move: from which horizon, 1 to 4 half-moves, the move is sensible by the mathematical map, and why;
/// whether it keeps its side's hope (9); how many closed squares each side's attacks have before and after it; and what
/// the machine program plays, with its time on the M-220. Then a table of the players, compared with chance. Nothing
/// here says that a move is good or bad. Botvinnik 1968, chapter VI, proposes the comparison; nothing was computed
/// then.
///
/// A file with many games is read as a stream. A damaged game is followed by the next one, and the exit code is then 3.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  m220 game game.pgn
  m220 game games.pgn --games all --summary")]
pub struct Args {
    /// The games, in PGN; - is standard input
    file: PathBuf,
    /// The game in the file
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "games")]
    game: NonZeroUsize,
    /// All games of the file
    #[arg(long, value_name = "WHICH", value_parser = ["all"])]
    games: Option<String>,
    /// The first move to examine
    #[arg(long, value_name = "N")]
    from: Option<u32>,
    /// The last move to examine
    #[arg(long, value_name = "N")]
    to: Option<u32>,
    /// Only this side's moves
    #[arg(long, value_parser = parser::<Color>())]
    side: Option<Color>,
    /// Only the moves of players with this in their names; may be repeated
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// What to work out: maps; also the machine's moves; also the native choice [default: machine for one game, map for
    /// all]
    #[arg(long, value_parser = parser::<Effort>())]
    effort: Option<Effort>,
    /// The most positions that the machine examines for one first move
    #[arg(long, value_name = "N", default_value_t = USUAL_SHARE, value_parser = clap::value_parser!(u32).range(1..=100))]
    share: u32,
    /// The positions of the native choice
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// Also work out q after every legal move: how a player's moves change the ways of both sides, compared with chance
    #[arg(long)]
    measure_style: bool,
    /// The output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// With --format pgn: write E+ as [%eval], which viewers take for a modern engine's value
    #[arg(long)]
    eval: bool,
    /// Continue in this file, an earlier output of --format jsonl: its complete rows are kept and not worked out again; give the same --positions
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// With --games: only the I-th of every N games, to share a file among N processes
    #[arg(long, value_name = "I/N", requires = "games")]
    shard: Option<Shard>,
    /// How many half-moves to examine in parallel [default: one per processor]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Only the table
    #[arg(long)]
    summary: bool,
    /// Refuse input that would need a correction
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    time: TimeOptions,
    /// The language of the text
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    lang: Text<Language>,
}

/// How a survey is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Format {
    /// A sentence for each half-move, then the table.
    #[default]
    Text,
    /// One document.
    Json,
    /// A line of JSON for each half-move, then one for each player.
    Jsonl,
    /// A line for each half-move, for spreadsheets.
    Csv,
    /// The games with the sentences, the machine's moves and arrows as remarks, in PGN.
    Pgn,
    /// A page to look through the games on a board.
    Html,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, session: &Session, out: &mut Output) -> Result<Exit, Failure> {
    let _search = args.time.search(session);
    let words = session.speak(args.lang.0);
    let host = Terminal::new(&words, session);
    let context = Context::new(session.limits(), &host);
    let refused = |refused: Refused| Failure::of(&refused, &words);
    if let (Some(from), Some(to)) = (args.from, args.to)
        && from > to
    {
        return Err(Failure::Usage(format!("--from {from} --to {to}: the first move comes after the last")));
    }
    if args.resume.is_some() && args.format != Format::Jsonl {
        return Err(Failure::Usage("--resume continues lines of JSON: expected --format jsonl".to_owned()));
    }
    if args.eval && args.format != Format::Pgn {
        return Err(Failure::Usage("--eval is a remark in a score: expected --format pgn".to_owned()));
    }
    if args.summary && matches!(args.format, Format::Pgn | Format::Html) {
        return Err(Failure::Usage("--summary is a table: expected --format text, json, jsonl or csv".to_owned()));
    }
    let usual = if args.games.is_some() { Effort::Map } else { Effort::Machine };
    let effort = args.effort.unwrap_or(usual);
    let machine = (effort != Effort::Map).then(|| Machine::new(args.share, &context)).transpose().map_err(refused)?;
    let reading = Reading { strict: args.strict, limits: session.limits() };
    let from: Box<dyn BufRead> = Box::new(BufReader::new(session.open_file(&args.file)?));
    let limits = session.limits();
    let looking = Looking {
        effort,
        machine: machine.as_ref(),
        positions: args.positions,
        style: args.measure_style,
        version: VERSION,
        limits: &limits,
    };
    let mut earlier = BTreeMap::new();
    let mut further: Option<Output> = None;
    if let Some(path) = &args.resume {
        let file = session.write_on(path, LONGEST_EARLIER, |bytes| {
            let (rows, kept) = earlier_rows(bytes, effort, args)
                .map_err(|reason| Failure::BadInput(format!("{}: {reason}", path.display())))?;
            earlier = rows;
            Ok(kept)
        })?;
        further = Some(Output::to(Box::new(file), session));
    }
    let survey = Survey {
        earlier,
        args,
        session,
        words: &words,
        looking,
        games: pgn::games(from, reading),
        number: 0,
        tally: Tally::default(),
        damaged: false,
        found: false,
        unasked: false,
        asked: false,
        failure: None,
    };
    survey.write(further.as_mut().unwrap_or(out))
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The longest file that is gone on with, in bytes.
const LONGEST_EARLIER: u64 = 1 << 30;

/// The rows of an earlier output by game and half-move, and how much of it stays: a torn last line does not, nor does the
/// table, which is made anew.
fn earlier_rows(bytes: &[u8], effort: Effort, args: &Args) -> Result<(EarlierRows, usize), String> {
    let (mut rows, mut kept) = (BTreeMap::new(), 0);
    for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        if line.last() != Some(&b'\n') {
            break;
        }
        let bad = |what: &str| format!("line {number}: {what}");
        let row: Earlier = match serde_json::from_slice::<Kind>(line) {
            Ok(kind) if kind.kind == "player" => break,
            Ok(kind) if kind.kind == "move" => serde_json::from_slice(line).map_err(|error| bad(&error.to_string()))?,
            _ => return Err(bad("not a row of m220 game --format jsonl")),
        };
        if row.effort != effort.choice_name() {
            return Err(bad(&format!("made with --effort {}, expected {}", row.effort, effort.choice_name())));
        }
        if row.version != VERSION {
            return Err(bad(&format!("made by version {}, expected {}", row.version, VERSION)));
        }
        if row.machine.as_ref().is_some_and(|machine| machine.share != args.share) {
            return Err(bad(&format!("made with another --share than {}", args.share)));
        }
        if row.counted.style.is_some() != args.measure_style {
            let made = if args.measure_style { "without" } else { "with" };
            return Err(bad(&format!("made {made} --measure-style")));
        }
        let (game, ply) = (row.counted.game, row.ply);
        if !args.takes(game) {
            return Err(not_asked(game, ply));
        }
        kept += line.len();
        if rows.insert((row.counted.game, row.ply), row).is_some() {
            return Err(bad("this half-move has a row already"));
        }
    }
    Ok((rows, kept))
}

fn not_asked(game: usize, ply: usize) -> String {
    format!("half-move {ply} of its game {game} is not asked for here")
}

impl Args {
    /// Whether the game of this number, from 1, is looked at.
    fn takes(&self, number: usize) -> bool {
        let in_shard = |shard: Shard| (number as u64).checked_sub(1).is_some_and(|n| n % shard.of == shard.number - 1);
        (self.games.is_some() || number == self.game.get()) && self.shard.is_none_or(in_shard)
    }
}

/// The rows of an earlier output, by game and half-move.
type EarlierRows = BTreeMap<(usize, usize), Earlier>;

#[derive(Deserialize)]
struct Kind {
    kind: String,
}

/// A row of an earlier output.
#[derive(Deserialize)]
struct Earlier {
    game_id: String,
    ply: usize,
    effort: String,
    version: String,
    machine: Option<EarlierMachine>,
    #[serde(flatten)]
    counted: Counted,
}

#[derive(Deserialize)]
struct EarlierMachine {
    share: u32,
}

/// Games under way.
struct Survey<'a> {
    args: &'a Args,
    session: &'a Session,
    words: &'a Words,
    looking: Looking<'a>,
    games: Games<Box<dyn BufRead>>,
    /// The games read so far.
    number: usize,
    tally: Tally,
    /// Whether a game could not be read to its end.
    damaged: bool,
    /// Whether a game has been looked at.
    found: bool,
    /// Whether a game has moves of which none is asked for.
    unasked: bool,
    /// Whether a game has moves that are asked for.
    asked: bool,
    /// The rows of an earlier output.
    earlier: EarlierRows,
    /// What ended the work while a document was being written.
    failure: Option<Failure>,
}

/// A game that has been looked at.
#[derive(Serialize)]
struct GameRows {
    /// The game in the file, from 1.
    game: usize,
    /// See [`game_id`].
    game_id: String,
    /// Its tags.
    tags: serde_json::Map<String, Value>,
    /// Its half-moves.
    rows: Vec<Row>,
    /// Where it is damaged.
    damage: Option<String>,
}

/// What hears of a survey as it comes: of a game's half-moves, and without one that the game begins.
type Tell<'t> = dyn FnMut(&GameRecord, Option<&Row>) -> Result<(), Failure> + 't;

impl Survey<'_> {
    fn write(mut self, out: &mut Output) -> Result<Exit, Failure> {
        match self.args.format {
            Format::Json => {
                let head = json!({ "schema": 2, "version": VERSION, "effort": self.looking.effort });
                let survey = RefCell::new(&mut self);
                let next = || survey.borrow_mut().next_shown();
                let players = || Ok(json!({ "players": survey.borrow().tally.players() }));
                let written = out.json_of_list(&head, "games", std::iter::from_fn(next), players);
                if let Some(failure) = self.failure.take() {
                    return Err(failure);
                }
                written?;
            }
            Format::Jsonl => {
                let mut tell = |_: &_, row: Option<&Row>| row.map_or(Ok(()), |row| kind_line("move", row, out));
                while self.next(&mut tell)?.is_some() {}
                for player in self.tally.players() {
                    kind_line("player", &player, out)?;
                }
            }
            Format::Csv => {
                let columns = if self.args.summary { PLAYER_COLUMNS } else { COLUMNS };
                let columns: Vec<&str> = columns.split_whitespace().collect();
                writeln!(out, "{}", columns.join(","))?;
                let mut tell = |_: &_, row: Option<&Row>| row.map_or(Ok(()), |row| csv_line(row, &columns, out));
                while self.next(&mut tell)?.is_some() {}
                for player in self.tally.players().iter().filter(|_| self.args.summary) {
                    csv_line(player, &columns, out)?;
                }
            }
            Format::Pgn => {
                let mut first = true;
                while let Some((record, game)) = self.next(&mut |_, _| Ok(()))? {
                    let between = if std::mem::take(&mut first) { "" } else { "\n" };
                    let score = annotated(record, &game.rows, self.args.eval, self.words);
                    out.file(between.as_bytes())?;
                    out.file(&score.to_bytes())?;
                    out.flush()?;
                }
            }
            Format::Html => {
                let page = self.page()?;
                out.file(page.as_bytes())?;
            }
            Format::Text => {
                let words = self.words;
                let mut between = "";
                let mut tell = |record: &_, row: Option<&Row>| {
                    if row.is_none() {
                        write!(out, "{}", std::mem::replace(&mut between, "\n"))?;
                    }
                    text_line(record, row, words, out)
                };
                while self.next(&mut tell)?.is_some() {}
                let players = self.tally.players();
                if !players.is_empty() {
                    said::rest(&table(&players, self.words), true, self.words, out)?;
                }
            }
        }
        out.flush()?;
        Ok(if self.damaged { Exit::BadInput } else { Exit::Done })
    }

    /// The page: all its games are in memory.
    fn page(&mut self) -> Result<String, Failure> {
        let (mut body, mut data, mut heading) = (String::new(), Vec::new(), String::new());
        while let Some((record, game)) = self.next(&mut |_, _| Ok(()))? {
            let title = self.words.say(&title(&record));
            body.push_str(&html::game::section(&title, &game.rows, self.words));
            data.push(html::game::record(&game.rows));
            if heading.is_empty() {
                heading = title;
            }
        }
        let whole = format!(
            "<style>\n{}</style>\n{PIECES}\n<h1>{}</h1>\n{body}<p>{}</p>\n<p class=\"remark\">{}</p>\n",
            html::game::STYLE,
            html::escaped(&self.words.say(&told!("game-page"))),
            html::escaped(&self.words.say(&told!("game-whose"))),
            html::escaped(&self.words.say(&told!("game-doubt"))),
        );
        let page = html::page(self.words.language(), &heading, &whole, Some(&Value::from(data).to_string()));
        // Behind the data that it reads.
        Ok(page.replace("</body>", &format!("<script>\n{}</script>\n</body>", html::game::SCRIPT)))
    }

    /// Looks at the next game that is wanted; none at the end.
    fn next(&mut self, tell: &mut Tell<'_>) -> Result<Option<(GameRecord, GameRows)>, Failure> {
        let wanted = self.args.games.is_none().then_some(self.args.game.get());
        loop {
            if self.session.limits().is_over() || wanted.is_some_and(|wanted| self.number >= wanted) {
                return Ok(None);
            }
            let read = self.games.next();
            self.number += 1;
            let is_wanted = self.args.takes(self.number);
            let last = self.earlier.keys().next_back();
            if let Some(&(game, ply)) = last.filter(|(game, _)| read.is_none() && *game >= self.number) {
                return Err(self.misfit(&not_asked(game, ply)));
            }
            let (record, damage) = match read {
                // There may be more shards than games.
                None if !self.found && (self.args.shard.is_none() || self.number == 1) => return Err(self.nothing()),
                // A share of the games need not have any.
                None if self.unasked && !self.asked && self.args.shard.is_none() => {
                    return Err(self.no_moves(|asked| told!("game-no-moves-in-all", asked)));
                }
                None => return Ok(None),
                Some(Ok(_)) if !is_wanted => continue,
                Some(Ok(record)) => (record, None),
                Some(Err(error)) if error.stopped || error.game == 0 => return Err(self.cannot_read(&error)),
                Some(Err(error)) if !is_wanted => {
                    self.warn(&Message::of(error));
                    continue;
                }
                Some(Err(error)) => (self.games.take_damaged().unwrap_or_default(), Some(error)),
            };
            self.found = true;
            for note in &record.put_right {
                self.warn(&Message::of(note.clone()));
            }
            if damage.is_none() && record.game.moves().is_empty() {
                self.warn(&told!("game-empty", number = self.number));
            }
            let rows = self.rows(&record, damage.is_none(), tell)?;
            if let Some(error) = &damage {
                self.damaged = true;
                self.warn(&told!("game-damaged", error = Message::of(error.clone()), rows = rows.len()));
            }
            let game = GameRows {
                game: self.number,
                game_id: game_id(&record.game),
                tags: record.tags.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect(),
                rows,
                damage: damage.map(|error| error.to_string()),
            };
            return Ok(Some((record, game)));
        }
    }

    /// The next game of the document; a failure ends them.
    fn next_shown(&mut self) -> Option<GameRows> {
        loop {
            match self.next(&mut |_, _| Ok(())) {
                Ok(Some(_)) if self.args.summary => {}
                Ok(next) => return next.map(|(_, game)| game),
                Err(failure) => {
                    self.failure = Some(failure);
                    return None;
                }
            }
        }
    }

    /// The rows of a game, passed on as they come.
    fn rows(&mut self, record: &GameRecord, counts: bool, tell: &mut Tell<'_>) -> Result<Vec<Row>, Failure> {
        let Args { from, to, side, summary, .. } = self.args;
        let id = game_id(&record.game);
        let mut wanted: Vec<HalfMove<'_>> = record
            .game
            .steps()
            .enumerate()
            .map(|(index, (position, played))| HalfMove {
                game: self.number,
                game_id: &id,
                ply: index + 1,
                position,
                played,
            })
            .filter(|half_move| {
                let number = half_move.position.fullmoves().get();
                from.is_none_or(|from| number >= from)
                    && to.is_none_or(|to| number <= to)
                    && side.is_none_or(|side| half_move.position.turn() == side)
                    && self.is_wanted(player(record, half_move.position.turn()))
            })
            .collect();
        self.asked |= !wanted.is_empty();
        self.unasked |= wanted.is_empty() && !record.game.moves().is_empty();
        if self.unasked && self.args.games.is_none() {
            let first = record.game.first_number();
            let last = record.game.steps().last().map_or(first, |(before, _)| before.fullmoves().get());
            return Err(self.no_moves(|asked| told!("game-no-moves", asked, first, last)));
        }
        if !summary && !wanted.is_empty() {
            tell(record, None)?;
        }
        let mut rows = Vec::new();
        let of_game = (self.number, 0)..=(self.number, usize::MAX);
        let unasked = |&&(_, ply): &&(usize, usize)| wanted.iter().all(|half_move| half_move.ply != ply);
        if let Some((game, ply)) = self.earlier.range(of_game).map(|(place, _)| place).find(unasked) {
            return Err(self.misfit(&not_asked(*game, *ply)));
        }
        for half_move in &wanted {
            let Some(row) = self.earlier.get(&(self.number, half_move.ply)) else { continue };
            if row.game_id != id {
                return Err(self.misfit(&format!("its game {} is a different one", self.number)));
            }
            if counts {
                self.tally.add(&self.named(record, half_move.position.turn()), &row.counted);
            }
        }
        wanted.retain(|half_move| !self.earlier.contains_key(&(self.number, half_move.ply)));
        // As many at a time as there are threads, so that the first appear at once.
        let threads = self.args.jobs.map_or_else(rayon::current_num_threads, usize::from);
        for some in wanted.chunks(threads.max(1)) {
            let (game, done, all) = (self.number, rows.len(), wanted.len());
            self.session.at(self.words.say(&told!("game-at", game, done, all)));
            let looked: Vec<_> = some.par_iter().map(|half_move| self.looking.at(half_move)).collect();
            if self.session.limits().is_over() {
                break;
            }
            for row in looked {
                let row = row.map_err(|refused| Failure::of(&refused, self.words))?;
                if counts {
                    let counted = Counted::of(&row).map_err(io::Error::from)?;
                    self.tally.add(&self.named(record, row.side), &counted);
                }
                if !summary {
                    tell(record, Some(&row))?;
                }
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// Whether a player's moves are looked at.
    fn is_wanted(&self, player: Option<&str>) -> bool {
        let player = player.unwrap_or_default().to_lowercase();
        self.args.player.is_empty() || self.args.player.iter().any(|part| player.contains(&part.to_lowercase()))
    }

    /// The name in the table. Who has none may be another person in each game.
    fn named(&self, record: &GameRecord, side: Color) -> String {
        match player(record, side) {
            Some(name) => name.to_owned(),
            None if self.args.games.is_none() => self.words.say(&told!("side", side)),
            None => self.words.say(&told!("game-unnamed", side = told!("side", side), game = self.number)),
        }
    }

    fn warn(&self, said: &Message) {
        self.session.warn(&format!("{}: {}", self.args.file.display(), self.words.say(said)));
    }

    fn no_moves(&self, told: impl FnOnce(String) -> Message) -> Failure {
        let Args { file, from, to, side, player, .. } = self.args;
        let asked = [
            from.map(|from| format!(" --from {from}")),
            to.map(|to| format!(" --to {to}")),
            side.map(|side| format!(" --side {}", colour_name(side))),
            (!player.is_empty()).then(|| format!(" --player {}", player.join(" --player "))),
        ];
        let told = told(asked.into_iter().flatten().collect());
        Failure::Usage(format!("{}: {}", file.display(), self.words.say(&told)))
    }

    /// What does not fit in the file that is gone on with.
    fn misfit(&self, reason: &str) -> Failure {
        let file = self.args.resume.as_deref().unwrap_or(Path::new("-")).display();
        Failure::BadInput(format!("{file}: {reason}"))
    }

    fn nothing(&self) -> Failure {
        let (file, games) = (self.args.file.display(), self.number - 1);
        Failure::BadInput(format!("{file}: there is no game {}; expected 1 to {games}", self.args.game))
    }

    fn cannot_read(&self, error: &PgnError) -> Failure {
        match self.session.limits().is_over() {
            true => Failure::NoVerdict(error.to_string()),
            false => Failure::BadInput(format!("{}: {error}", self.args.file.display())),
        }
    }
}

fn kind_line(kind: &str, of: &impl Serialize, out: &mut Output) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Line<'l, T> {
        kind: &'l str,
        #[serde(flatten)]
        of: &'l T,
    }
    let line = serde_json::to_string(&Line { kind, of }).map_err(io::Error::from)?;
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

fn text_line(record: &GameRecord, row: Option<&Row>, words: &Words, out: &mut Output) -> Result<(), Failure> {
    match row {
        None => writeln!(out, "{}\n", wrap::fill(&words.say(&title(record)), 2))?,
        Some(row) => writeln!(out, "{}", wrap::fill(&sentence(row, words), 4))?,
    }
    Ok(out.flush()?)
}

/// The columns of a table for spreadsheets: the fields of a row's document. A number is a place in a list, from 1.
const COLUMNS: &str = include_str!("game-columns.txt");

/// The columns of the players' table.
const PLAYER_COLUMNS: &str = include_str!("player-columns.txt");

fn csv_line(of: &impl Serialize, columns: &[&str], out: &mut Output) -> Result<(), Failure> {
    let document = serde_json::to_value(of).map_err(io::Error::from)?;
    let cell = |name: &str| {
        let step = |part: &str| part.parse().map_or(part.to_owned(), |place: usize| (place - 1).to_string());
        let place: String = name.split('.').map(|part| format!("/{}", step(part))).collect();
        match document.pointer(&place) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) if text.contains([',', '"', '\n', '\r']) => {
                format!("\"{}\"", text.replace('"', "\"\""))
            }
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(squares)) => squares.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("-"),
            Some(other) => other.to_string(),
        }
    };
    writeln!(out, "{}", columns.iter().copied().map(cell).collect::<Vec<_>>().join(","))?;
    Ok(out.flush()?)
}

/// What a cell says for which no move counts.
const NOTHING: &str = "–";

/// An error behind its value; nothing if it is not known.
fn give_or_take(error: Option<f64>, decimals: usize) -> String {
    error.map(|error| format!("±{error:.decimals$}")).unwrap_or_default()
}

/// The table of the players, with what it cannot show above it.
fn table(players: &[Player], words: &Words) -> Said {
    let say = |key| words.say(&Message::key(key));
    let doubt = Part::Text { lines: vec![say("game-whose"), say("game-doubt")] };
    let column = |name: String, figures| Column { name, term: None, figures };
    let mut columns = vec![column(say("game-player"), false), column(say("game-moves"), true)];
    columns.extend((1..=4u32).map(|horizon| column(horizon.to_string(), true)));
    columns.push(column(say("game-keeps"), true));
    let with_machine = players.iter().any(|player| player.m220_seconds.is_some());
    if with_machine {
        columns.extend([column(say("game-same"), true), column(say("game-time"), true)]);
    }
    let points = |share: f64| format!("{:.0}", 100.0 * share);
    let percent = |share: Option<f64>| share.map_or(NOTHING.to_owned(), |share| format!("{}%", points(share)));
    let rows = players.iter().flat_map(|player| {
        let measures: Vec<_> = player.horizons.iter().chain([&player.keeps]).chain(&player.same).collect();
        let line = |name: String,
                    count: String,
                    time: String,
                    cell: &dyn Fn(&m220_answers::game::table::Measure) -> String| {
            let cells = measures.iter().map(|measure| cell(measure));
            let time = with_machine.then_some(time);
            TableRow { cells: [name, count].into_iter().chain(cells).chain(time).collect(), ways: Vec::new() }
        };
        let time = player.m220_seconds.map_or(String::new(), |seconds| words.time(seconds * 1e6));
        [
            line(player.player.clone(), player.moves.to_string(), time, &|measure| percent(measure.share)),
            line("  95%".to_owned(), String::new(), String::new(), &|measure| {
                let interval = measure.interval.map(|ends| ends.map(points).join("–"));
                interval.unwrap_or(NOTHING.to_owned())
            }),
            line(format!("  {}", say("game-chance")), String::new(), String::new(), &|measure| percent(measure.chance)),
            line(format!("  {}", say("game-excess")), String::new(), String::new(), &|measure| {
                let error = measure.excess_error.map(|error| 100.0 * error);
                let excess = measure.excess.map(|excess| format!("{:+.0}{}", 100.0 * excess, give_or_take(error, 0)));
                excess.unwrap_or(NOTHING.to_owned())
            }),
        ]
    });
    let rows = rows.collect();
    let title = words.say(&told!("game-players", machine = usize::from(with_machine)));
    let horizons = Part::Table { title, columns, rows, shown: None };
    Said { parts: [doubt, horizons].into_iter().chain(styles(players, words)).collect(), ..Said::default() }
}

/// The table of what the players' moves do to the ways of both sides, if that was measured.
fn styles(players: &[Player], words: &Words) -> Option<Part> {
    let say = |key| words.say(&Message::key(key));
    let change =
        |change: &Change| words.decimal(&format!("{:+.1}{}", change.excess, give_or_take(change.excess_error, 1)));
    let percent = |share: StyleShare| {
        format!("{:.0}{}%", 100.0 * share.share, give_or_take(share.error.map(|error| 100.0 * error), 0))
    };
    let row = |player: &Player| {
        let style = player.style.as_ref()?;
        let shares = [style.active, style.passive, style.both_better, style.other].map(percent);
        let first = [player.player.clone(), style.moves.to_string(), change(&style.own), change(&style.enemy)];
        Some(TableRow { cells: first.into_iter().chain(shares).collect(), ways: Vec::new() })
    };
    let rows: Vec<TableRow> = players.iter().filter_map(row).collect();
    let keys = ["game-player", "game-moves", "game-own", "game-enemy", "game-active", "game-passive", "game-both"];
    let columns = keys.into_iter().chain(["game-other"]).enumerate();
    let column = |(index, key)| Column { name: say(key), term: None, figures: index > 0 };
    let columns = columns.map(column).collect();
    (!rows.is_empty()).then(|| Part::Table { title: say("game-styles"), columns, rows, shown: None })
}
