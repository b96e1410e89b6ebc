//! `m220 book`: the figures of Botvinnik's book beside the programs' findings.

mod picture;

use crate::options::picture::SvgOption;
use crate::prelude::*;
use crate::terminal::diagram;
use crate::terminal::html::{escaped, figure as html_figure, page as html_page, table as html_table};
use chess_reference::book::figures::{Figure, Shown, Statement, figures};
use chess_reference::keys::Key;
use chess_reference::{Task, bundle};
use m220_answers::question::{cannot_run, run_line, verdict_line};
use m220_chess::program::BuiltIn;
use m220_chess::record::{EngineRecord, MachineRecord};
use m220_chess::trajectories::{AttacksQuestion, BundleQuestion, DEFAULT_MAX_MOVES, PieceTask};
use m220_chess::{ChessProgram, MachineRun, NoVerdict, TrajectoryProgram, Verdict};
use shakmaty::Square;

/// Show a figure of Botvinnik's book of 1968 next to what the programs find
///
/// For every figure that shows a position, a code table, a key or the moves of a piece: the picture, the book's numbers
/// for it, what is found here, and the reason where they differ. The machine finds the attacks in each position (within
/// three half-moves, where they fit its tables) and the moves to every square, and is compared with the native
/// reference. Without a number the figures are listed.
#[derive(clap::Args)]
pub struct Args {
    /// The number of the figure
    #[arg(value_name = "N")]
    number: Option<u32>,
    #[command(flatten)]
    svg: SvgOption,
    /// Write all figures to this file, as a page to read alongside the book
    #[arg(long, value_name = "FILE.html", conflicts_with_all = ["number", "svg"])]
    html: Option<ResultFile>,
    #[command(flatten)]
    time: TimeOptions,
    /// The output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The horizon of the attacks asked of the machine, in half-moves: the book's greatest.
const HORIZON: u32 = 3;

/// A figure with all findings for it.
struct Found {
    figure: &'static Figure,
    statements: Vec<(&'static Statement, String)>,
    report: EngineFacts,
    /// The question to the machine.
    asked: String,
}

/// What the engines found on a figure: runs added up, and the verdicts on them.
#[derive(Default)]
struct EngineFacts {
    machine: Option<MachineRecord>,
    verdict: Option<Verdict>,
}

impl EngineFacts {
    fn of<T>(run: &MachineRun<T>, verdict: Verdict) -> EngineFacts {
        EngineFacts { machine: Some(MachineRecord::of(run)), verdict: Some(verdict) }
    }

    fn and(self, next: EngineFacts) -> EngineFacts {
        EngineFacts {
            machine: [self.machine, next.machine].into_iter().flatten().reduce(MachineRecord::and),
            verdict: [self.verdict, next.verdict].into_iter().flatten().reduce(Verdict::and),
        }
    }

    fn exit(&self) -> Exit {
        match &self.verdict {
            None | Some(Verdict::Equal) => Exit::Done,
            Some(Verdict::Different(_)) => Exit::Different,
            Some(Verdict::NoVerdict(_)) => Exit::NoVerdict,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with what was wrong, or why there is no result.
pub fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let session = &out.session().clone();
    let _search = args.time.search(session);
    let Some(number) = args.number else {
        if args.svg.is_wanted() {
            return Err(Failure::Usage("--svg draws one figure: expected its number".to_owned()));
        }
        return match &args.html {
            Some(file) => all(args, file, out),
            None => list(args, out),
        };
    };
    let figure = figures().iter().find(|figure| figure.number == number).ok_or_else(|| {
        Failure::BadInput(format!(
            "figure {number} is not here; m220 book lists those that show a position, a code table or moves"
        ))
    })?;
    let found = find(figure, session)?;
    args.svg.write(Some(Ok(picture::of(figure))), out)?;
    match args.format {
        Format::Json => out.json(&found.document())?,
        Format::Text => found.text(out)?,
    }
    Ok(found.exit(session))
}

/// The list of the figures.
fn list(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    match args.format {
        Format::Json => {
            let rows: Vec<_> =
                figures().iter().map(|figure| document(figure, Vec::new(), &EngineFacts::default())).collect();
            out.json(&serde_json::json!({"schema": 1, "figures": rows}))?;
        }
        Format::Text => {
            for figure in figures() {
                let line = format!("{:>2}  p. {:>2}  {}", figure.number, figure.page, figure.title);
                writeln!(out, "{}", wrap::fill(&line, 11))?;
            }
            writeln!(out, "\nm220 book N shows one, m220 book --html book.html all of them in a page.")?;
            let missing = "The position of Fig. 1 is printed as a picture only, which we cannot read.";
            writeln!(out, "{}", wrap::fill(missing, 0))?;
        }
    }
    Ok(Exit::Done)
}

/// All figures as a page.
fn all(args: &Args, file: &std::path::Path, out: &mut Output) -> Result<Exit, Failure> {
    let session = &out.session().clone();
    let mut found = Vec::new();
    for figure in figures() {
        session.at(format!("figure {}", figure.number));
        found.push(find(figure, session)?);
        if session.cut_short().is_some() {
            return Ok(Exit::NoVerdict);
        }
    }
    let links: String =
        figures().iter().map(|figure| format!("<a href=\"#fig{0}\">Fig. {0}</a> ", figure.number)).collect();
    let body: String = found.iter().map(Found::html).collect();
    let title = "The figures of Botvinnik's book, and what the programs find";
    let intro = "M. M. Botvinnik, Algoritm igry v shakhmaty, Moscow: Nauka, 1968. Page numbers may be off by one. Below each \
        picture are the book's words in short, its numbers with those found here, and the command that repeats it.";
    let documents: Vec<_> = found.iter().map(Found::document).collect();
    let data = serde_json::to_string(&documents).map_err(std::io::Error::from)?;
    let body = format!("<h1>{title}</h1>\n<p>{intro}</p>\n<nav>{links}</nav>\n{body}");
    session.write_file(file, html_page(title, &body, Some(&data)).as_bytes())?;
    let of_all = |count: fn(&Found) -> usize| found.iter().map(count).sum::<usize>();
    let (statements, same) = (of_all(|found| found.statements.len()), of_all(Found::same));
    let derived = of_all(|found| found.statements.iter().filter(|(statement, _)| statement.derived).count());
    match args.format {
        Format::Json => out.json(&serde_json::json!({"schema": 1, "figures": documents}))?,
        Format::Text => {
            let line = format!(
                "{}, {}: {} as the book has them, {derived} that follow from its words, {} otherwise, each with its \
                 reason",
                counted(found.len() as u64, "figure"),
                counted(statements as u64, "statement"),
                same - derived,
                statements - same
            );
            writeln!(out, "{}", wrap::fill(&line, 2))?;
        }
    }
    Ok(found.iter().map(|one| one.exit(session)).find(|&exit| exit != Exit::Done).unwrap_or(Exit::Done))
}

/// The findings of both engines and of the analysis.
fn find(figure: &'static Figure, session: &Session) -> Result<Found, Failure> {
    let limits = session.limits();
    let statements = figure
        .statements()
        .map(|statement| (statement, statement.found(&limits).unwrap_or_else(|| "nothing".to_owned())))
        .collect();
    let (report, asked) = compare(figure, session)?;
    Ok(Found { figure, statements, report, asked })
}

/// Compares machine and native reference on what the figure shows, and describes the question in words.
fn compare(figure: &Figure, session: &Session) -> Result<(EngineFacts, String), Failure> {
    const BUILT_IN: BuiltIn = TrajectoryProgram::BUILT_IN;
    let position = figure.place.position();
    let settings = BUILT_IN.settings(Model::M220, &session.limits());
    let program = TrajectoryProgram::built_in().map_err(cannot_run)?;
    match figure.shown {
        Shown::Position => {
            let compare = |horizon| {
                let compared = program.compare(&AttacksQuestion { position: &position, horizon }, &settings);
                compared.map_err(cannot_run)
            };
            // On an open board the machine's tables hold only the attacks of a shorter horizon.
            let (mut horizon, mut compared) = (HORIZON, compare(HORIZON)?);
            while horizon > 1 && matches!(compared.verdict, Verdict::NoVerdict(NoVerdict::Machine(_))) {
                horizon -= 1;
                compared = compare(horizon)?;
            }
            let asked = format!("all attacks within {}", counted(horizon.into(), "half-move"));
            Ok((EngineFacts::of(&compared.machine, compared.verdict), asked))
        }
        Shown::Code(role, from) => {
            let piece = role.of(Color::White);
            let tasks = || Square::ALL.into_iter().filter(|&to| to != from).map(|to| Task { piece, from, to });
            // For unreachable squares the question is whether the moves that reach the farthest other square suffice.
            let moves = |task| bundle(&position.board, &task, Some(DEFAULT_MAX_MOVES)).moves;
            let most = tasks().filter_map(moves).max().unwrap_or(DEFAULT_MAX_MOVES);
            let mut report = EngineFacts::default();
            for task in tasks() {
                let question = BundleQuestion(PieceTask { board: &position.board, task: &task, max_moves: most });
                let compared = program.compare(&question, &settings).map_err(cannot_run)?;
                report = report.and(EngineFacts::of(&compared.machine, compared.verdict));
            }
            Ok((report, "the moves to each of the 63 squares".to_owned()))
        }
        Shown::Tables(_) | Shown::Keys(_) => Ok((EngineFacts::default(), String::new())),
    }
}

impl Found {
    fn exit(&self, session: &Session) -> Exit {
        match self.statements.iter().all(|(statement, found)| found == statement.expected) {
            true => self.report.exit(),
            false if session.cut_short().is_some() => Exit::NoVerdict,
            false => Exit::Different,
        }
    }

    /// How many statements agree with the book.
    fn same(&self) -> usize {
        self.statements.iter().filter(|(statement, found)| is_the_books(statement, found)).count()
    }

    fn document(&self) -> Value {
        let statement = |(statement, found): &(&'static Statement, String)| {
            json!({
                "quantity": statement.quantity,
                "in_words": statement.in_words(),
                // The half-moves from the figure's position, by their squares.
                "after": self.after(statement),
                // In half-moves.
                "horizon": statement.horizon,
                "found": found,
                "book": statement.differs.unwrap_or(statement.expected),
                "as_the_book": is_the_books(statement, found),
                // The book gives no such figure: this one follows from what it says.
                "derived": statement.derived,
                // One off at most.
                "page": statement.page,
                // Why they differ, or the book's own words.
                "note": statement.note,
            })
        };
        document(self.figure, self.statements.iter().map(statement).collect(), &self.report)
    }

    /// The half-moves from the figure's position to that of a statement.
    fn after(&self, statement: &Statement) -> Vec<String> {
        statement.place.line.iter().skip(self.figure.place.line.len()).map(ToString::to_string).collect()
    }

    fn text(&self, out: &mut Output) -> Result<(), Failure> {
        let Figure { number, page, title, says, command, place, shown, .. } = self.figure;
        let position = place.position();
        writeln!(out, "{}\n", wrap::fill(&format!("Fig. {number}, page {page}: {title}"), 0))?;
        if let Shown::Tables(stamps) | Shown::Keys(stamps) = shown {
            let is_key = matches!(shown, Shown::Keys(_));
            for &stamp in stamps {
                let rows = if is_key { Key::drawing(stamp) } else { picture::rows(stamp) };
                writeln!(out, "{}\n", rows.join("\n"))?;
            }
            let signs = if is_key { picture::signs(stamps) } else { Vec::new() };
            signs.iter().try_for_each(|line| writeln!(out, "{}", wrap::fill(line, 3)))?;
            if is_key {
                writeln!(out)?;
            }
        } else {
            if matches!(shown, Shown::Position) {
                writeln!(out, "{}\n", position.to_fen())?;
            }
            match *shown {
                Shown::Code(role, from) => writeln!(out, "{}", picture::numbered(&position, role, from))?,
                _ => writeln!(out, "{}", diagram::small(&position.board, Color::White, &[]))?,
            }
        }
        writeln!(out, "{}", wrap::fill(&format!("{}{says}", self.who_says()), 0))?;
        if !self.statements.is_empty() {
            writeln!(out, "\nIn numbers, as found here")?;
        }
        for (statement, found) in &self.statements {
            let after = self.after(statement).join(" ");
            let after = if after.is_empty() { after } else { format!("after {after}: ") };
            let mut line = format!("  {after}{}: {}", statement.in_words(), shown_value(found));
            line += &match (is_the_books(statement, found), statement.differs) {
                (true, _) if statement.derived => format!(" (follows from p. {})", statement.page),
                (true, _) => format!(" (as on p. {})", statement.page),
                (false, book) => {
                    let book = shown_value(book.unwrap_or(statement.expected));
                    format!(" (p. {}: {book}; {})", statement.page, statement.note)
                }
            };
            writeln!(out, "{}", wrap::fill(&line, 6))?;
        }
        if let Some(machine) = &self.report.machine {
            writeln!(out, "\nOn the machine: {}\n{}", self.asked, run_line(machine, &Words::default()))?;
            let verdict = self.report.verdict.as_ref();
            verdict.map_or(Ok(()), |verdict| writeln!(out, "{}", verdict_line(verdict, &Words::default())))?;
        }
        writeln!(out, "\n{}", wrap::fill(&format!("m220 {command}"), 4))?;
        Ok(())
    }

    /// Before what the table says of the figure: the book, unless its drawing is lost.
    fn who_says(&self) -> &'static str {
        if matches!(self.figure.shown, Shown::Keys(_)) { "" } else { "The book: " }
    }

    /// The figure's part of the page.
    fn html(&self) -> String {
        let Figure { number, page, title, says, command, .. } = self.figure;
        let rows = self.statements.iter().map(|(statement, found)| {
            let same = is_the_books(statement, found);
            let book = match same {
                true if statement.derived => "follows".to_owned(),
                true => "the same".to_owned(),
                false => shown_value(statement.differs.unwrap_or(statement.expected)),
            };
            let what = [self.after(statement).join(" "), statement.in_words()];
            let what: Vec<String> = what.into_iter().filter(|part| !part.is_empty()).collect();
            vec![what.join(": "), shown_value(found), book, statement.page.to_owned(), statement.note.to_owned()]
        });
        let rows: Vec<Vec<String>> = rows.collect();
        let numbers = match rows.is_empty() {
            true => String::new(),
            false => {
                html_table("words", ["in numbers", "found here", "the book", "page", "why, or the book's words"], rows)
            }
        };
        let signs = match &self.figure.shown {
            Shown::Keys(stamps) => format!("<p>{}.</p>\n", escaped(&picture::signs(stamps).join(". "))),
            _ => String::new(),
        };
        let machine = self.report.machine.as_ref().map_or(String::new(), |machine| {
            let words = Words::default();
            let verdict = self.report.verdict.as_ref().map(|verdict| verdict_line(verdict, &words)).unwrap_or_default();
            let run = run_line(machine, &words);
            format!("<p>On the machine, {}: {}; {}.</p>\n", self.asked, escaped(&run), escaped(&verdict))
        });
        format!(
            "<h2 id=\"fig{number}\">Fig. {number}, page {page}: {}</h2>\n<div class=\"pictures\">{}</div>\n\
             <p>{}{}</p>\n{signs}{numbers}{machine}<pre>m220 {}</pre>\n",
            escaped(title),
            html_figure(&picture::of(self.figure), title),
            self.who_says(),
            escaped(says),
            escaped(command)
        )
    }
}

/// A figure of the book in JSON, with the book's numerical statements beside what is found; a list of figures has none.
fn document(figure: &Figure, statements: Vec<Value>, report: &EngineFacts) -> Value {
    let EngineRecord { equal, differences, machine } =
        EngineRecord::of(report.verdict.as_ref(), report.machine.clone());
    json!({
        "schema": 1,
        "figure": figure.number,
        // One off at most.
        "page": figure.page,
        "title": figure.title,
        "says": figure.says,
        "fen": figure.place.position().to_fen(),
        // The command that shows it, without `m220`.
        "command": figure.command,
        "statements": statements,
        "equal": equal,
        "differences": differences,
        "machine": machine,
    })
}

fn is_the_books(statement: &Statement, found: &str) -> bool {
    statement.differs.is_none() && found == statement.expected
}

/// A value for people: an empty one is said to be nothing, ranks stand apart.
fn shown_value(value: &str) -> String {
    if value.is_empty() { "none".to_owned() } else { value.replace('/', " / ") }
}
