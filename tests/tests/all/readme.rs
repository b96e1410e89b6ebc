//! Runs every command that the README and the pages below show, and compares its output with the page.
//!
//! In a block marked ```console a line that begins with `$ ` is a command; the lines up to the next command or the end of
//! the block are its standard output. A line `...` stands for any number of lines. The commit after the version is not
//! compared. The tutorial and the pages on running and debugging have their own tests, which also provide the files that
//! those pages use.

use crate::command::PROGRAM;
use assert_cmd::Command;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::{Arc, Mutex, OnceLock};

/// A command of the README and what is printed under it.
struct ReadmeExample {
    line: usize,
    command: String,
    output: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn shown(text: &str) -> Vec<ReadmeExample> {
    let mut all: Vec<ReadmeExample> = Vec::new();
    let mut inside = false;
    for (line, content) in (1..).zip(text.lines()) {
        match content {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match content.strip_prefix("$ ") {
                Some(command) => all.push(ReadmeExample { line, command: command.to_owned(), output: Vec::new() }),
                None => all.last_mut().expect("a command before its output").output.push(content.to_owned()),
            },
        }
    }
    all
}

/// The words of a command line; single and double quotes hold words together.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(q), c) if c == q => quote = None,
            (None, ' ') => words.push(String::new()),
            _ => words.last_mut().expect("never empty").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The pages, by their place in the repository. Commands run in a folder with the machine programs in it.
const PAGES: [&str; 6] = [
    "README.md",
    "README.ru.md",
    "m220-programs/examples/README.md",
    "crates/m220-cli/docs/gallery.md",
    "crates/m220-cli/docs/experiment.md",
    "crates/m220-cli/docs/masters.md",
];

/// A line without the commit.
fn comparable(line: &str) -> &str {
    match line.strip_prefix("m220 ").and_then(|rest| rest.split_once(" (")) {
        Some((version, _)) => version,
        None => line.trim_end(),
    }
}

fn agrees(expected: &[String], actual: &[String]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((first, rest)) if first.trim() == "..." => (0..=actual.len()).any(|skip| agrees(rest, &actual[skip..])),
        Some((first, rest)) => actual
            .split_first()
            .is_some_and(|(line, others)| comparable(first) == comparable(line) && agrees(rest, others)),
    }
}

fn text_of(page: impl AsRef<Path>) -> String {
    let page = root().join(page);
    std::fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// What commands have printed, by their words: what several pages show runs once.
type Ran = Mutex<HashMap<Vec<String>, Arc<OnceLock<Output>>>>;

#[test]
fn commands_print_what_the_pages_show() {
    let ran = Ran::default();
    std::thread::scope(|scope| PAGES.map(|page| scope.spawn(|| run_commands_of(page, &ran))).map(drop));
}

fn run_commands_of(page: &str, all: &Ran) {
    let text = text_of(page);
    let folder = tempfile::tempdir().expect("a folder for what the commands write");
    for part in ["m220-programs", "crates"] {
        let there = root().join(part).canonicalize().expect("a part of the repository");
        std::os::unix::fs::symlink(there, folder.path().join(part)).expect("a link to it");
    }
    let mut run = 0;
    for ReadmeExample { line, command, output } in shown(&text) {
        let mut words = words(&command);
        if words.starts_with(&["cargo".to_owned(), "test".to_owned()]) {
            // This very test is part of it; the checks of every change run the same command.
            let checks = std::fs::read_to_string(root().join(".ci/run")).expect("the checks");
            assert!(
                checks.lines().any(|check| check.trim().ends_with(&command)),
                "{page}:{line}: the checks do not run `{command}`"
            );
            continue;
        }
        let prefix = ["cargo", "run", "--release", "--bin", "m220", "--"].map(str::to_owned);
        if words.starts_with(&prefix) {
            words.drain(..prefix.len());
        } else if words.first().is_some_and(|first| first == "m220") {
            words.remove(0);
        } else {
            panic!("{page}:{line}: nobody runs `{command}`");
        }
        let once = Arc::clone(all.lock().expect("no page has failed").entry(words.clone()).or_default());
        let ran = once.get_or_init(|| {
            let mut program = Command::new(PROGRAM);
            program.args(&words).env("NO_COLOR", "1").current_dir(folder.path());
            program.output().expect("the program runs")
        });
        assert!(ran.status.success(), "{page}:{line}: `{command}`: {}", String::from_utf8_lossy(&ran.stderr));
        let actual: Vec<String> = String::from_utf8_lossy(&ran.stdout).lines().map(str::to_owned).collect();
        assert!(
            output.is_empty() || agrees(&output, &actual),
            "{page}:{line}: `{command}` prints\n{}\nand not\n{}",
            actual.join("\n"),
            output.join("\n")
        );
        run += 1;
    }
    assert!(run >= 4, "{page} shows only {run} commands");
}

#[test]
fn links_lead_to_files() {
    for page in PAGES {
        let folder = root().join(page).parent().expect("a folder").to_owned();
        let mut found = 0;
        for target in text_of(page).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = target.split('#').next().unwrap_or_default();
            // ADDRESS is where the publisher puts the address of the page.
            if !target.contains("://") && !target.is_empty() && target != "ADDRESS" {
                assert!(folder.join(target).exists(), "{page} links to {target}, which is not there");
                found += 1;
            }
        }
        assert!(found > 0, "{page} has no links");
    }
}

/// All pages of the repository, in its folders down from `folder`.
fn pages_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && name != "target" && name != "node_modules" && !name.starts_with('.') {
            pages_below(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// Side by side on a screen, a page and the terminal have about a hundred columns. Tables, pictures and program output
/// cannot be wrapped.
#[test]
fn prose_keeps_within_a_hundred_columns() {
    let mut pages = Vec::new();
    pages_below(&root(), &mut pages);
    let mut long = Vec::new();
    for page in &pages {
        let mut code = false;
        for (number, line) in (1..).zip(text_of(page).lines()) {
            code ^= line.trim_start().starts_with("```");
            let free = code || ["|", "![", "    "].iter().any(|start| line.starts_with(start));
            // The command of a marked figure is not read.
            if !free && !line.contains("<!-- m220 ") && line.chars().count() > 100 {
                long.push(format!("{}:{number}", page.display()));
            }
        }
    }
    assert!(pages.len() > 30 && long.is_empty(), "{} pages; wrap {long:#?}", pages.len());
}

#[test]
fn the_picture_is_what_the_program_draws() {
    let folder = tempfile::tempdir().expect("a folder");
    let drawn = folder.path().join("king-a4-h4.svg");
    let king = ["trajectories", "--piece", "king", "--from", "a4", "--to", "h4", "--animate", "--svg"];
    Command::new(env!("CARGO_BIN_EXE_m220")).args(king).arg(&drawn).assert().success();
    let read = |path: &Path| std::fs::read_to_string(path).expect("a picture");
    let kept = root().join("crates/m220-cli/docs/pictures/king-a4-h4.svg");
    let picture = read(&drawn);
    assert!(picture == read(&kept), "draw {} anew: m220 {} {0}", kept.display(), king.join(" "));
    // It moves by itself, is still for who asks for that, and loads at once.
    assert!(picture.contains("prefers-reduced-motion: no-preference") && !picture.contains("<script"));
    assert!(picture.len() < 60_000, "{} bytes", picture.len());
    // A square is marked when the king can be there: its first number, but for the start, is the step of its group.
    let mut marks = 0;
    for group in picture.split("<g class=\"s").skip(1) {
        let step = group.split('"').next().expect("a class");
        let mark = group.split("</g>").next().and_then(|group| group.split_once('+')?.0.rsplit('\n').next());
        if let Some(reached) = mark {
            assert_eq!(reached, step);
            marks += 1;
        }
    }
    assert_eq!(marks, 31, "the squares beyond the start");
}

/// The files that archives, package indexes and workflows read name one version, and no action that can be changed
/// behind our back.
#[test]
fn what_is_published_agrees() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        ("CITATION.cff", format!("version: {version}")),
        ("codemeta.json", format!("\"version\": \"{version}\"")),
        ("crates/m220-python/Cargo.toml", format!("version = \"{version}\"")),
    ] {
        assert!(text_of(root().join(file)).contains(&line), "{file}: no line {line}");
    }
    let mut actions = 0;
    for workflow in ["ci.yml", "pages.yml", "release.yml"] {
        let text = text_of(root().join(".github/workflows").join(workflow));
        for used in text.lines().filter_map(|line| line.split_once("uses: ")).map(|(_, used)| used) {
            let pinned = used.split_once('@').and_then(|(_, after)| after.split(' ').next());
            let is_pinned = pinned.is_some_and(|sum| sum.len() == 40 && sum.chars().all(|c| c.is_ascii_hexdigit()));
            assert!(is_pinned, "{workflow}: {used}");
            actions += 1;
        }
    }
    assert!(actions > 10);
}

/// Whether a figure stands in a command's output: the same words, or a number of the output that rounds to it.
fn is_in(output: &str, figure: &str) -> bool {
    let words: Vec<&str> = output.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|c: char| ",.;:()".contains(c)).to_owned();
    let number = |word: &str| bare(word).replace(',', "").parse::<f64>().ok();
    let parts: Vec<&str> = figure.split_whitespace().collect();
    let decimals = parts[0].split_once('.').map_or(0, |(_, after)| after.len());
    words.windows(parts.len()).any(|found| {
        let same = number(found[0]).zip(number(parts[0])).map_or(bare(found[0]) == parts[0], |(found, wanted)| {
            format!("{found:.decimals$}") == format!("{wanted:.decimals$}")
        });
        same && found.iter().zip(&parts).skip(1).all(|(found, part)| bare(found) == *part)
    })
}

/// A figure in the prose on which a claim rests is marked where it stands, `<!-- m220 COMMAND -->57 ms<!-- . -->`, and
/// its command gives it.
#[test]
fn marked_figures_come_from_their_commands() {
    assert!(is_in("machine: ok, M-220 56.7 ms, M-20", "57 ms") && !is_in("machine: ok, M-220 56.7 ms", "58 ms"));
    assert!(is_in("9,254 positions looked", "9,254 positions") && !is_in("9,254 positions", "9,253 positions"));
    let mut pages = Vec::new();
    pages_below(&root(), &mut pages);
    let mut outputs = HashMap::new();
    let mut figures = 0;
    for page in &pages {
        let text = text_of(page);
        // A comment at the beginning of a line would end the paragraph.
        assert!(!text.contains("\n<!-- m220 "), "{}: a mark begins a line", page.display());
        for marked in text.split("<!-- m220 ").skip(1) {
            // This page tells of the form itself.
            let Some((command, rest)) = marked.split_once(" -->").filter(|(command, _)| *command != "COMMAND") else {
                continue;
            };
            let figure = rest.split("<!-- . -->").next().expect("a figure").trim();
            let output = outputs.entry(command.to_owned()).or_insert_with(|| {
                let mut program = Command::new(PROGRAM);
                let ran = program.args(command.split(' ')).current_dir(root()).output().expect("the program runs");
                String::from_utf8_lossy(&ran.stdout).into_owned()
            });
            assert!(is_in(output, figure), "{}: m220 {command} does not give {figure}", page.display());
            figures += 1;
        }
    }
    assert!(figures >= 50, "{figures}");
}
