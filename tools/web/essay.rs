//! The essay as pages of the site: a chapter a page, with the laboratory between its paragraphs.
//!
//! A chapter is a Markdown file in `crates/m220-console/essay/LANGUAGE`. A block that is fenced as `machine start=NAME`
//! shows the laboratory at that start, and its text below. A line `task CONDITION: what the reader is asked to do` there
//! ticks itself off when the machine has done it: `halt` when it has come to its end, `back` when it was stepped back,
//! `at N` when it stands after N instructions, `row TEXT` when a row with this text is chosen, `answer TEXT` when an answer
//! says this. A picture is named by its file in `crates/m220-cli/docs/pictures`.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Parser, Tag, TagEnd, html};
use std::error::Error;
use std::fs;
use std::path::Path;

const ESSAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/essay");
const PICTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../m220-cli/docs/pictures");
const PAGE: &str = include_str!("essay.html");

/// What a page says beside its chapter.
struct Frame {
    language: &'static str,
    title: &'static str,
    laboratory: &'static str,
    other: (&'static str, &'static str),
    open: &'static str,
    needs: &'static str,
}

const FRAMES: [Frame; 2] = [
    Frame {
        language: "en",
        title: "The machine that was to think like Botvinnik",
        laboratory: "The laboratory",
        other: ("ru", "По-русски"),
        open: "Open it on its own page",
        needs: "The machine that stands between these paragraphs needs JavaScript.",
    },
    Frame {
        language: "ru",
        title: "Машина, которая должна была думать как Ботвинник",
        laboratory: "Лаборатория",
        other: ("en", "In English"),
        open: "Открыть отдельно",
        needs: "Машине, которая стоит между абзацами, нужен JavaScript.",
    },
];

/// The pages by their paths in the site.
pub fn pages() -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let mut pages = Vec::new();
    for frame in &FRAMES {
        let folder = Path::new(ESSAY).join(frame.language);
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder)? {
            names.push(
                entry?.path().file_stem().and_then(|name| name.to_str()).ok_or("a name that is no text")?.to_owned(),
            );
        }
        names.sort();
        let mut chapters = Vec::new();
        for name in &names {
            chapters.push((name, fs::read_to_string(folder.join(format!("{name}.md")))?));
        }
        let heading = |text: &str| text.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
        let link = |index: Option<usize>| {
            let chapter = index.and_then(|index| chapters.get(index));
            chapter.map_or(String::new(), |(name, text)| format!("<a href=\"{name}.html\">{}</a>", heading(text)))
        };
        for (index, (name, text)) in chapters.iter().enumerate() {
            let page = PAGE
                .replace("@LANG@", frame.language)
                .replace("@TITLE@", frame.title)
                .replace("@HEADING@", &heading(text))
                .replace("@LABORATORY@", frame.laboratory)
                .replace("@OTHER@", &format!("../{}/{name}.html", frame.other.0))
                .replace("@OTHER_LANG@", frame.other.0)
                .replace("@OTHER_NAME@", frame.other.1)
                .replace("@NEEDS@", frame.needs)
                .replace("@PLACE@", &format!("{} / {}", index + 1, names.len()))
                .replace("@BACK@", &link(index.checked_sub(1)))
                .replace("@ON@", &link(Some(index + 1)))
                .replace("@CHAPTER@", &chapter(text, frame)?);
            pages.push((format!("essay/{}/{name}.html", frame.language), page));
        }
    }
    Ok(pages)
}

/// A chapter as HTML.
fn chapter(text: &str, frame: &Frame) -> Result<String, Box<dyn Error>> {
    let mut events = Vec::new();
    let mut start: Option<String> = None;
    let mut picture = None;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let name = info.strip_prefix("machine start=").ok_or_else(|| format!("no block `{info}`"))?;
                start = Some(name.to_owned());
            }
            // One text holds the whole block: a fenced block has no other parts.
            Event::Text(below) if start.is_some() => {
                let (name, language) = (start.take().unwrap_or_default(), frame.language);
                let mut tasks = String::new();
                let mut caption = Vec::new();
                for line in below.lines() {
                    match line.strip_prefix("task ").and_then(|task| task.split_once(": ")) {
                        Some((condition, asked)) => tasks.push_str(&format!(
                            "<li data-task=\"{condition}\"><span aria-hidden=\"true\">○</span>{asked}</li>\n"
                        )),
                        None => caption.push(line),
                    }
                }
                let tasks = if tasks.is_empty() { tasks } else { format!("<ul class=\"tasks\">\n{tasks}</ul>\n") };
                events.push(Event::Html(CowStr::from(format!(
                    "<figure class=\"machine\"><m220-machine laboratory=\"../../index.html\" start=\"{name}\" \
                     lang=\"{language}\" title=\"M-220\"></m220-machine>\n{tasks}<figcaption>{} \
                     <a href=\"../../index.html#start={name}&lang={language}\">{}</a></figcaption></figure>\n",
                    caption.join(" ").trim(),
                    frame.open
                ))));
            }
            Event::End(TagEnd::CodeBlock) => {}
            Event::Start(Tag::Image { dest_url, .. }) => picture = Some(dest_url.to_string()),
            Event::Text(name) if picture.is_some() => {
                let wanted = picture.as_deref().unwrap_or_default();
                let translated = format!("{PICTURES}/{wanted}-{}.svg", frame.language);
                let file =
                    if Path::new(&translated).exists() { translated } else { format!("{PICTURES}/{wanted}.svg") };
                let svg = fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
                let svg = svg.get(svg.find("<svg").unwrap_or_default()..).unwrap_or_default();
                let figure = format!("<span class=\"picture\" role=\"img\" aria-label=\"{name}\">{svg}</span>");
                events.push(Event::InlineHtml(CowStr::from(figure)));
            }
            Event::End(TagEnd::Image) => picture = None,
            other => events.push(other),
        }
    }
    let mut page = String::new();
    html::push_html(&mut page, events.into_iter());
    Ok(page)
}
