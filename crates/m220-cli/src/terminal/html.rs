//! Pages to read, print and keep: one file without network addresses or fonts of its own; a game has a script.

pub mod game;

use m220_answers::Language;
pub use m220_console::page::escaped;
use m220_console::page::filled_in;

/// The frame of every page: its style, on screens and on A4 paper.
const PAGE: &str = include_str!("html/page.html");

/// A whole page; `data` is an accompanying JSON document for programs.
pub fn page(language: Language, title: &str, body: &str, data: Option<&str>) -> String {
    // Nothing is escaped within a script, so it must not contain `<`; JSON has it only in strings.
    let data = data.map_or(String::new(), |json| {
        let json = json.replace('<', "\\u003c");
        format!("<script type=\"application/json\" id=\"record\">\n{json}\n</script>")
    });
    let (version, title) = (escaped(env!("M220_VERSION")), escaped(title));
    filled_in(
        PAGE,
        [
            ("@LANGUAGE@", language.name()),
            ("@VERSION@", &version),
            ("@TITLE@", &title),
            ("@BODY@", body),
            ("@DATA@", &data),
        ],
    )
}

/// A table of texts with headings, of a class of the page's style: `ledger` (figures) or `words`.
pub fn table<'a>(
    class: &str,
    heads: impl IntoIterator<Item = &'a str>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let row = |cells: Vec<String>, tag: &str| {
        let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let head = row(heads.into_iter().map(str::to_owned).collect(), "th");
    let rows: String = rows.into_iter().map(|cells| row(cells, "td")).collect();
    format!(
        "<div class=\"scroll\"><table class=\"{class}\">\n<thead>{head}</thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}

/// A line of a `pre`, tinted by its share of a whole, from 0 to 1. The tint grows with the root, so that a tenth shows.
pub fn shaded(line: &str, share: f64) -> String {
    let tint = (100.0 * share.sqrt()).round();
    match tint {
        0.0 => escaped(line),
        tint => format!("<span style=\"--tint: {tint}%\">{}</span>", escaped(line)),
    }
}

/// A picture with a caption. It is embedded as an image, so that its style does not affect the page.
pub fn figure(svg: &str, caption: &str) -> String {
    let caption = escaped(caption);
    // The percent sign first, since the others are written with it.
    let signs = [("%", "%25"), ("#", "%23"), ("\"", "%22"), ("<", "%3C"), (">", "%3E"), ("\n", "%0A")];
    let data = signs.iter().fold(svg.to_owned(), |data, (sign, written)| data.replace(sign, written));
    format!(
        "<figure><img alt=\"{caption}\" src=\"data:image/svg+xml;charset=utf-8,{data}\">\
         <figcaption>{caption}</figcaption></figure>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_do_not_become_marks() {
        assert_eq!(escaped("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
        let page = page(Language::English, "<t>", "<p>x</p>", Some("{\"a\": \"</script>\"}"));
        assert!(page.contains("<title>&lt;t&gt;</title>") && page.contains("<p>x</p>"));
        assert!(page.contains("{\"a\": \"\\u003c/script>\"}"));
        assert!(!page.contains('@') || page.contains("@media"), "a place of the frame was left");
        // A title may look like a place of the frame.
        let titled = self::page(Language::English, "@BODY@", "<p>x</p>", None);
        assert!(titled.contains("<title>@BODY@</title>") && titled.matches("<p>x</p>").count() == 1);
        assert!(table("words", ["<"], [vec![">".to_owned()]]).contains("<th>&lt;</th>"));
    }
}
