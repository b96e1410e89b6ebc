//! The print buffer, which printer and punch share, and the printer's page.

use crate::devices::exchange::Layout;
use m220_isa::number;
use m220_isa::text;
use m220_isa::{Model, Word};

/// A cell of the print buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BufferCell {
    /// The word.
    pub word: Word,
    /// Whether the word is the checksum of an exchange.
    pub is_sum: bool,
}

/// The print buffer: a ring of 512 words (M-20) or 1,024 (M-220).
///
/// On the M-20 a word is ORed into its cell, and an output clears the buffer; on the M-220 a word
/// replaces what was there, and the buffer keeps its words (after the acceptance deck's simulator).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintBuffer {
    cells: Vec<BufferCell>,
    /// Where a gather at device address 0 continues: after the last word, or at cell 0 after an output.
    next: usize,
    merges: bool,
}

impl PrintBuffer {
    /// An empty buffer.
    #[must_use]
    pub fn new(model: Model) -> PrintBuffer {
        let (size, merges) = match model {
            Model::M220 => (1024, false),
            Model::M20 | Model::Itep => (512, true),
        };
        PrintBuffer { cells: vec![BufferCell::default(); size], next: 0, merges }
    }

    /// Puts words, followed by their sum if given, into the cells from `at` on (0: after the last
    /// word), and moves the end mark after them.
    pub fn gather(&mut self, at: u16, words: &[Word], sum: Option<Word>) {
        let size = self.cells.len();
        let mut place = if at == 0 { self.next } else { usize::from(at) % size };
        let words = words.iter().map(|&word| BufferCell { word, is_sum: false });
        for cell in words.chain(sum.map(|word| BufferCell { word, is_sum: true })) {
            let old = &mut self.cells[place];
            *old = match self.merges {
                true => BufferCell {
                    word: Word::truncating(old.word.bits() | cell.word.bits()),
                    is_sum: old.is_sum | cell.is_sum,
                },
                false => cell,
            };
            place = (place + 1) % size;
        }
        self.next = place;
    }

    /// The buffer as numbers: the end mark, then each word; a checksum has the highest bit set.
    pub(crate) fn to_numbers(&self) -> impl Iterator<Item = u64> {
        let cells = self.cells.iter().map(|cell| cell.word.bits() | u64::from(cell.is_sum) << 63);
        std::iter::once(self.next as u64).chain(cells)
    }

    /// Sets the buffer from its numbers; false if they are not those of a buffer of this size.
    pub(crate) fn set_numbers(&mut self, numbers: &[u64]) -> bool {
        let Some((&next, cells)) = numbers.split_first() else { return false };
        let cell = |bits: u64| Some(BufferCell { word: Word::new(bits & !(1 << 63)).ok()?, is_sum: bits >> 63 == 1 });
        let Some(cells) = cells.iter().map(|&bits| cell(bits)).collect::<Option<Vec<_>>>() else { return false };
        let fits = next < self.cells.len() as u64 && cells.len() == self.cells.len();
        if fits {
            (self.next, self.cells) = (next as usize, cells);
        }
        fits
    }

    /// Takes the words to be printed or punched: from cell 0 up to the end mark, or the whole buffer if
    /// the mark has wrapped to cell 0.
    pub fn output(&mut self) -> Vec<BufferCell> {
        let end = if self.next == 0 { self.cells.len() } else { self.next };
        let out = self.cells[..end].to_vec();
        self.next = 0;
        if self.merges {
            self.cells.fill(BufferCell::default());
        }
        out
    }
}

/// The printed lines, each with its line end.
///
/// With `plain` a decimal print converts the machine's binary numbers (and shows a sum in octal), for
/// programs that do not convert their results to binary-coded decimal themselves.
#[must_use]
pub fn page(layout: Layout, plain: bool, cells: &[BufferCell]) -> String {
    match layout {
        Layout::Decimal if plain => grid(cells, " ", |cell| match cell.is_sum {
            true => cell.word.to_string(),
            false => plain_decimal(cell.word),
        }),
        Layout::Decimal => grid(cells, "  ", |cell| coded_decimal(cell.word)),
        Layout::Octal => grid(cells, " ", |cell| cell.word.to_string()),
        Layout::Text => text_lines(cells),
    }
}

/// Eight words per line.
fn grid(cells: &[BufferCell], gap: &str, show: impl Fn(&BufferCell) -> String) -> String {
    let mut page = String::new();
    for line in cells.chunks(8) {
        let words: Vec<String> = line.iter().map(&show).collect();
        page.push_str(words.join(gap).trim_end());
        page.push('\n');
    }
    page
}

/// The 14 positions of a binary-coded decimal number: tag (shown as a minus), sign, sign and two digits
/// of the exponent, nine digits. A digit above 9 prints as the character with that code.
fn coded_decimal(word: Word) -> String {
    let bits = word.bits();
    let sign = |bit: u32| if bits >> (bit - 1) & 1 == 0 { '+' } else { '-' };
    let digit = |low_bit: u32, mask: u64| text::character_of((bits >> (low_bit - 1) & mask) as u8).unwrap_or(' ');
    let mut positions = String::from_iter([sign(45), sign(44), sign(43), digit(41, 3), digit(37, 15)]);
    positions.extend((0..9).rev().map(|place| digit(1 + 4 * place, 15)));
    positions
}

/// Whether a word is a binary-coded decimal: no digit above 9.
pub fn is_coded_decimal(word: Word) -> bool {
    (0..10).all(|place| word.bits() >> (4 * place) & 15 <= 9)
}

/// A binary number in decimal: 15 positions, nine significant digits.
fn plain_decimal(word: Word) -> String {
    let value = number::to_f64(word);
    let sign = if value < 0.0 { '-' } else { ' ' };
    let digits = if value == 0.0 { "0".to_owned() } else { format!("{:.8e}", value.abs()) };
    format!("{sign}{digits:<14}")
}

/// Positions of a printed line.
const WIDTH: usize = 128;
/// Words in a line of text.
const WORDS_OF_TEXT: usize = 22;
/// Control code: go to the position that the next code names.
const GO_TO: u8 = 0o144;
/// Control code: advance one line more than the next code says.
const ADVANCE: u8 = 0o150;
/// Control code: do not advance; the next line is printed over this one.
const NO_ADVANCE: u8 = 0o160;

/// Text, 22 words per line. A character printed over another replaces it here.
fn text_lines(cells: &[BufferCell]) -> String {
    let mut page = String::new();
    let mut line = [' '; WIDTH];
    for words in cells.chunks(WORDS_OF_TEXT) {
        let mut codes = words.iter().flat_map(|cell| text::unpack(cell.word));
        let (mut position, mut advance) = (0, 1);
        while let Some(code) = codes.next() {
            match code {
                GO_TO => position = codes.next().map_or(position, usize::from),
                ADVANCE => advance = codes.next().map_or(advance, |more| usize::from(more) + 1),
                NO_ADVANCE => advance = 0,
                _ => {
                    let character = text::character_of(code).unwrap_or(' ');
                    if let Some(place) = line.get_mut(position).filter(|_| character != ' ') {
                        *place = character;
                    }
                    position += 1;
                }
            }
        }
        if advance > 0 {
            finish_line(&mut page, &mut line, advance);
        }
    }
    // Each exchange starts a new line, even if the last line asked for no advance.
    if !page.ends_with('\n') || line.iter().any(|&c| c != ' ') {
        finish_line(&mut page, &mut line, 1);
    }
    page
}

fn finish_line(page: &mut String, line: &mut [char; WIDTH], advance: usize) {
    page.push_str(String::from_iter(line.iter()).trim_end());
    page.extend(std::iter::repeat_n('\n', advance));
    line.fill(' ');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(words: &[Word]) -> Vec<BufferCell> {
        words.iter().map(|&word| BufferCell { word, is_sum: false }).collect()
    }

    fn words(bits: &[u64]) -> Vec<Word> {
        bits.iter().map(|&bits| Word::truncating(bits)).collect()
    }

    fn bits(cells: &[BufferCell]) -> Vec<u64> {
        cells.iter().map(|cell| cell.word.bits()).collect()
    }

    #[test]
    fn words_follow_the_last_one_until_an_output() {
        let mut buffer = PrintBuffer::new(Model::M20);
        buffer.gather(0, &words(&[1, 2]), Some(Word::truncating(3)));
        buffer.gather(0, &words(&[4]), None);
        let out = buffer.output();
        assert_eq!(bits(&out), [1, 2, 3, 4]);
        assert_eq!(out.iter().position(|cell| cell.is_sum), Some(2));
        buffer.gather(0, &words(&[5]), None);
        assert_eq!(bits(&buffer.output()), [5]);
    }

    #[test]
    fn the_m20_merges_and_clears_where_the_m220_replaces_and_keeps() {
        for (model, first, second) in
            [(Model::M20, vec![0, 3, 7], vec![0, 8]), (Model::M220, vec![0, 2, 4], vec![0, 8])]
        {
            let mut buffer = PrintBuffer::new(model);
            buffer.gather(1, &words(&[1, 3]), None);
            buffer.gather(1, &words(&[2, 4]), None);
            assert_eq!(bits(&buffer.output()), first);
            buffer.gather(1, &words(&[8]), None);
            assert_eq!(bits(&buffer.output()), second);
            buffer.gather(3, &words(&[9]), None);
            let kept = if model == Model::M20 { vec![0, 0, 0, 9] } else { vec![0, 8, 4, 9] };
            assert_eq!(bits(&buffer.output()), kept);
        }
    }

    /// `50 0200 0777` with one word on the M-20: the word in 0777, the sum in 0, only the sum out.
    #[test]
    fn the_ring_closes() {
        let mut buffer = PrintBuffer::new(Model::M20);
        buffer.gather(0o777, &words(&[5]), Some(Word::truncating(6)));
        let out = buffer.output();
        assert_eq!((bits(&out), out[0].is_sum), (vec![6], true));

        let mut buffer = PrintBuffer::new(Model::M220);
        buffer.gather(0, &vec![Word::truncating(1); 1024], None);
        assert_eq!(buffer.output().len(), 1024);
    }

    #[test]
    fn decimal_positions() {
        let digits = 0x314159265;
        for (upper, expected) in
            [(0o001, "+++01314159265"), (0o743, "---23314159265"), (0o471, "-++39314159265"), (0o222, "+-+12314159265")]
        {
            assert_eq!(coded_decimal(Word::from_parts(upper, digits)), expected);
        }
        assert_eq!(coded_decimal(Word::from_parts(0, 0xabcdef000)), "+++00+-/,. 000");
    }

    #[test]
    fn lines_of_eight() {
        let words = cells(&words(&[1; 9]));
        let widths = |page: &str| page.lines().map(|line| line.chars().count()).collect::<Vec<_>>();
        assert_eq!(widths(&page(Layout::Decimal, false, &words)), [8 * 14 + 7 * 2, 14]);
        assert_eq!(widths(&page(Layout::Octal, false, &words)), [8 * 15 + 7, 15]);
    }

    #[test]
    fn plain_numbers() {
        for (number, expected) in
            [("1", " 1.00000000e0"), ("-0.1", "-1.00000000e-1"), ("0", " 0"), ("123456789012", " 1.23456789e11")]
        {
            let word = number::from_decimal(number).unwrap();
            assert_eq!(plain_decimal(word).trim_end(), expected);
            assert_eq!(plain_decimal(word).len(), 15);
        }
    }

    #[test]
    fn text_controls() {
        let line = |codes: &[u8]| {
            let full = |chunk: &[u8]| std::array::from_fn(|at| chunk.get(at).copied().unwrap_or(text::SPACE));
            cells(&codes.chunks(6).map(|chunk| text::pack(full(chunk))).collect::<Vec<_>>())
        };
        let (a, b) = (text::code_of('А').unwrap(), text::code_of('Б').unwrap());
        assert_eq!(text_lines(&line(&[a, GO_TO, 5, b])), "А    Б\n");
        assert_eq!(text_lines(&line(&[a, ADVANCE, 2, b])), "АБ\n\n\n");
        assert_eq!(text_lines(&line(&[a, NO_ADVANCE])), "А\n");
        assert_eq!(text_lines(&line(&[GO_TO, 127, a, b])), format!("{}А\n", " ".repeat(127)));
        // Two lines of 22 words: the second over the first, or under it.
        let two_lines = |first: &[u8]| {
            let mut codes = first.to_vec();
            codes.resize(132, text::SPACE);
            codes.extend([text::SPACE, b]);
            text_lines(&line(&codes))
        };
        assert_eq!(two_lines(&[a]), "А\n Б\n");
        assert_eq!(two_lines(&[a, NO_ADVANCE]), "АБ\n");
    }
}
