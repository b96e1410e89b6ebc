//! What `--profile` and `--annotate` show: where the instructions and the time of a run went.

use crate::files::load::Programs;
use crate::prelude::*;
use crate::terminal::html;
use m220_asm::disassemble::instruction_text;
use m220_asm::visible;
use m220_isa::HalfMicroseconds;
use m220_isa::opcode::row_of;
use m220_machine::{Profile, Share};

/// Counts and times by operation code and by cell, in their order. Either breakdown sums to the total.
pub fn report(model: Model, profile: &Profile) -> Value {
    let time = |share: Share| json!({ "m20": share.m20.microseconds(), "m220": share.m220.microseconds() });
    let opcodes = profile.by_code().map(|(code, share)| {
        json!({
            "code": format!("{:02o}", code.bits()),
            "mnemonic": row_of(model, code).latin,
            "instructions": share.instructions,
            "time_us": time(share),
        })
    });
    let cells = profile.by_cell().map(
        |(cell, share)| json!({ "cell": cell.to_string(), "instructions": share.instructions, "time_us": time(share) }),
    );
    json!({ "opcodes": opcodes.collect::<Vec<_>>(), "cells": cells.collect::<Vec<_>>() })
}

/// The hottest cells that the text shows; JSON has them all.
const CELLS_SHOWN: usize = 20;

/// The time of a share by the model's own table.
fn own(model: Model, share: Share) -> HalfMicroseconds {
    if model == Model::M220 { share.m220 } else { share.m20 }
}

/// The time of all that was counted, by the model's own table: of a continued run, what came since.
fn total(model: Model, profile: &Profile) -> HalfMicroseconds {
    let mut sum = Share::default();
    profile.by_code().for_each(|(_, share)| sum += share);
    own(model, sum)
}

/// How many hundredths of the whole this is.
fn percent(part: HalfMicroseconds, whole: HalfMicroseconds) -> f64 {
    100.0 * part.0 as f64 / whole.0.max(1) as f64
}

/// Two tables, the most time first.
///
/// # Errors
/// [`Failure::Output`] if they cannot be written.
pub fn write(out: &mut Output, profile: &Profile, model: Model, programs: &Programs) -> Result<(), Failure> {
    let codes = profile.by_code().map(|(code, share)| {
        let name = format!("{:02o} {}", code.bits(), row_of(model, code).latin);
        (name, share)
    });
    let cells = profile.by_cell().map(|(cell, share)| {
        let name = format!("{:<5} {}", cell.to_string(), programs.label(cell).unwrap_or_default());
        (name, share)
    });
    let tables: [(&str, Vec<(String, Share)>); 2] = [("operation codes", codes.collect()), ("cells", cells.collect())];
    for (title, mut shares) in tables {
        shares.sort_by_key(|(_, share)| std::cmp::Reverse(own(model, *share)));
        let rest = if title == "cells" { shares.split_off(shares.len().min(CELLS_SHOWN)) } else { Vec::new() };
        if !rest.is_empty() {
            let mut sum = Share::default();
            rest.iter().for_each(|(_, share)| sum += *share);
            shares.push((format!("{} other cells", rest.len()), sum));
        }
        writeln!(out, "\n{title:<28} {:>14} {:>12} {:>8}", "instructions", "time", "share")?;
        for (name, share) in shares {
            let percent = percent(own(model, share), total(model, profile));
            let (count, time) = (grouped(share.instructions), time(own(model, share)));
            writeln!(out, "{name:<28} {count:>14} {time:>12} {percent:>6.2} %")?;
        }
    }
    Ok(())
}

/// The sources of a program with what each of their lines took.
pub struct Annotated<'a> {
    /// The program, with its sources.
    pub image: &'a Image,
    /// What the run took.
    pub profile: &'a Profile,
    /// The machine after it.
    pub machine: &'a Machine<Devices>,
}

impl Annotated<'_> {
    /// The content of the file: a page, if its name says so, else text.
    pub fn for_file(&self, path: &Path) -> String {
        let is_page = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"));
        if !is_page {
            return self.lines(&|line, _| line.to_owned());
        }
        let body = format!("<h1>Where the time went</h1>\n<pre>{}</pre>", self.lines(&html::shaded));
        html::page(Language::English, "Where the time went", &body, None)
    }

    /// Every line of every source, then the executed cells that no source tells of; each line with its share of the
    /// whole, from 0 to 1, passes through `shade`.
    fn lines(&self, shade: &dyn Fn(&str, f64) -> String) -> String {
        let model = self.machine.config().model;
        let whole = total(model, self.profile);
        let mut of_lines: BTreeMap<(u32, u32), Share> = BTreeMap::new();
        let mut elsewhere = Vec::new();
        for (cell, share) in self.profile.by_cell() {
            match self.image.lines.get(&cell) {
                Some(place) => *of_lines.entry((place.file, place.line)).or_default() += share,
                None => elsewhere.push((cell, share)),
            }
        }
        let mut text = format!("{:>14} {:>12} {:>8}  {:>5}\n", "instructions", "time", "share", "line");
        let mut put = |share: Option<Share>, line: &str| {
            let spent = own(model, share.unwrap_or_default());
            let percent = percent(spent, whole);
            let margin = share.map_or(String::new(), |share| {
                format!("{:>14} {:>12} {percent:>6.2} %", grouped(share.instructions), time(spent))
            });
            text.push_str(&shade(format!("{margin:36}  {line}").trim_end(), percent / 100.0));
            text.push('\n');
        };
        for (file, source) in (0..).zip(&self.image.files) {
            put(None, &visible(&source.name));
            for (number, line) in (1..).zip(source.text.lines()) {
                put(of_lines.get(&(file, number)).copied(), &format!("{number:5}  {}", visible(line)));
            }
            put(None, "");
        }
        if !elsewhere.is_empty() {
            put(None, "cells that no source tells of, with their words at the end");
        }
        for (cell, share) in elsewhere {
            let word = self.machine.core(cell).unwrap_or_default();
            put(Some(share), &format!("{:>5}  {}", cell.to_string(), instruction_text(model, word)));
        }
        text
    }
}

/// A time for people: microseconds, milliseconds or seconds.
pub fn time(time: HalfMicroseconds) -> String {
    match time.0 {
        0..2_000 => time.to_string(),
        2_000..2_000_000 => format!("{:.3} ms", time.microseconds() / 1e3),
        half_microseconds => {
            let milliseconds = (half_microseconds + 1_000) / 2_000;
            format!("{}.{:03} s", grouped(milliseconds / 1_000), milliseconds % 1_000)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_for_people() {
        assert_eq!([0, 999, 1_000, 67_117_057].map(grouped), ["0", "999", "1,000", "67,117,057"]);
        let times = [57, 1_999, 2_001, 3_789_318_000].map(|halves| time(HalfMicroseconds(halves)));
        assert_eq!(times, ["28.5 us", "999.5 us", "1.000 ms", "1,894.659 s"]);
    }
}
