//! Parses the statements of the language, one line each.

use super::cursor::{Cursor, NO_IMMEDIATES};
use super::{Draft, Parse};
use crate::prelude::*;
use crate::spelling::{is_keyword, looks_like, nearest_keyword};
use crate::statement::{MacroUse, Opcode, Statement};

/// The most operands of one statement: an instruction has three, a macro may have more.
const MOST_OPERANDS: usize = 64;

impl Cursor<'_> {
    /// Parses the line. Its labels are kept even if the statement is wrong.
    pub(super) fn line(&mut self) -> (Vec<Name>, Parse<Draft>) {
        let mut labels = Vec::new();
        loop {
            let from = self.at;
            match self.name(true) {
                Some(name) if self.take(':') => {
                    if name.text.contains('.') && !name.text.starts_with('.') {
                        let error = name.span.error("a local label is defined by its short name");
                        let short = name.text.split_once('.').map_or("", |(_, short)| short);
                        return (labels, Err(Box::new(error.help(sentence!("write `.{short}:`", short)))));
                    }
                    labels.push(name);
                }
                _ => {
                    self.at = from;
                    break;
                }
            }
        }
        let statement = self.statement();
        labels.extend(self.forgotten.take());
        (labels, statement)
    }

    pub(super) fn statement(&mut self) -> Parse<Draft> {
        if self.at_end() {
            return Ok(Draft::Statement(Statement::Empty));
        }
        if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return self.coded_instruction();
        }
        let from = self.at;
        let Some(name) = self.name(true) else {
            return self.expected("a label, a mnemonic, an octal code or a directive");
        };
        if self.take('=') {
            if name.text.contains('.') {
                let error = name.span.error("a constant has a plain name, without a dot");
                return Err(Box::new(error.help("only labels can be local")));
            }
            let from = self.at;
            let value = self.expression().unwrap_or_else(|error| {
                self.findings.report(*error);
                self.skip_to_end();
                self.bad_operand(from).value
            });
            let help = is_keyword(&name.text)
                .then(|| sentence!("`{name} =` defines a constant of that name", name = name.text));
            self.end("the constant's value", help);
            return Ok(Draft::Statement(Statement::Constant(name, value)));
        }
        if name.text.contains('.') {
            self.at = from;
            return Err(Box::new(
                name.span
                    .error(sentence!("`{name}` is not an instruction", name = name.text))
                    .help("a local label is followed by a colon"),
            ));
        }
        self.directive(&name.text.to_lowercase(), name)
    }

    pub(super) fn directive(&mut self, keyword: &str, name: Name) -> Parse<Draft> {
        let draft = match keyword {
            "model" => match self.name(false) {
                Some(model) => Draft::Model(model),
                None => return self.expected("m220, m20 or itep"),
            },
            "origin" => Draft::Statement(Statement::Origin(self.expression()?)),
            "start" => Draft::Statement(Statement::Start(self.expression()?)),
            "reserve" => Draft::Statement(Statement::Reserve(self.expression()?)),
            "repeat" => Draft::Repeat(self.expression()?),
            "macro" => match self.name(false) {
                Some(macro_) => {
                    let parameters = if self.at_end() { Vec::new() } else { self.names(false) };
                    Draft::Macro(macro_, parameters)
                }
                None => return self.expected("the name of the macro"),
            },
            "end" => Draft::End,
            "export" => Draft::Statement(Statement::Export(self.names(true))),
            "octal" => Draft::Statement(Statement::Words(CellKind::Octal, self.octal_words())),
            "number" => Draft::Statement(Statement::Words(CellKind::Number, self.decimal_numbers())),
            "fields" => Draft::Statement(self.fields()?),
            "text" => Draft::Statement(Statement::Words(CellKind::Text, self.text_words()?)),
            "include" => {
                let (pieces, span) = self.string(false)?;
                Draft::Include(pieces.into_iter().filter_map(|piece| piece.content.ok()).collect(), span)
            }
            _ if is_keyword(&name.text) => return self.instruction(Opcode::Mnemonic(name)),
            _ => match self.macros.get(&name.text) {
                Some(&macro_) => Draft::Statement(self.expansion(macro_)),
                None => return self.unknown_keyword(name),
            },
        };
        self.end(sentence!("`{keyword}`", keyword), None);
        Ok(draft)
    }

    pub(super) fn coded_instruction(&mut self) -> Parse<Draft> {
        let from = self.at;
        let digits = self.take_while(is_name_part);
        let span = self.since(from);
        if let (Ok(bits), 2) = (u8::from_str_radix(digits, 8), digits.len()) {
            return self.instruction(Opcode::Digits(Code::truncating(bits), span));
        }
        let rest = self.rest().split(';').next().unwrap_or_default().trim();
        let error = if self.take(':') {
            span.error(sentence!("`{digits}` is not a name", digits))
                .label("a name does not begin with a digit")
                .help("names are letters, digits and `_`, a letter or `_` first")
        } else {
            let error = span.error(sentence!("`{digits}` is not an operation code", digits));
            let word = format!("{digits} {rest}");
            error.label("expected two octal digits, 00 to 77").help(if word.parse::<Word>().is_ok() {
                sentence!("a whole word in digits is written `octal {word}`", word)
            } else {
                "`m220 asm --help-opcodes` prints the codes and their mnemonics".into()
            })
        };
        self.findings.report(error);
        // The rest of the line may be the rest of a word in octal digits.
        self.skip_to_end();
        Ok(Draft::Statement(Statement::Instruction(Opcode::Unknown(span), Vec::new())))
    }

    /// Handles a line that begins with a name that is neither an instruction nor a directive, perhaps a
    /// label without its colon.
    pub(super) fn unknown_keyword(&mut self, name: Name) -> Parse<Draft> {
        let error = name.span.error(sentence!("`{name}` is neither an instruction nor a directive", name = name.text));
        let rest = self.rest();
        let next: String = rest.trim_start().chars().take_while(|c| is_name_part(*c)).collect();
        if self.text[..self.at].ends_with(char::is_whitespace) && is_keyword(&next) {
            self.findings.report(error.help(sentence!("a label is followed by a colon: `{name}:`", name = name.text)));
            self.forgotten = Some(name);
            return self.statement();
        }
        // Once in a line: a second one is an error like any other.
        let is_first = !self.text[..self.at].contains('-');
        if is_first && rest.starts_with('-') && rest.split(';').next().is_some_and(|code| code.contains(':')) {
            self.take_while(|c| c != ':');
            self.take(':');
            let error = (Span { len: self.line_bytes(name.span), ..name.span }).error("this is not a name");
            self.findings.report(error.help("names are letters, digits and `_`, a letter or `_` first"));
            return self.statement();
        }
        if self.findings.is_full() {
            self.findings.leave_out(name.span);
            return self.instruction(Opcode::Unknown(name.span));
        }
        let near = nearest_keyword(&name.text, self.macros.keys().map(String::as_str));
        self.findings.report(match near {
            Some(near) if looks_like(&near) == looks_like(&name.text) => {
                error.help(sentence!("did you mean `{near}`, in letters of one alphabet?", near))
            }
            Some(near) => error.help(sentence!("did you mean `{near}`?", near)),
            None => error.help(
                "a label is followed by `:`, a constant by `=`; an instruction begins with a mnemonic or two octal digits",
            ),
        });
        self.instruction(Opcode::Unknown(name.span))
    }

    /// Bytes from the start of a span up to the character before the cursor, not counting that character.
    pub(super) fn line_bytes(&self, span: Span) -> u32 {
        (self.line.start + self.at as u32).saturating_sub(span.start + 1)
    }

    pub(super) fn instruction(&mut self, opcode: Opcode) -> Parse<Draft> {
        let mut operands = if self.at_end() { Vec::new() } else { self.operands() };
        if let Some(extra) = operands.get(3) {
            let error = extra.value.span.error("an instruction has three operands at most");
            if !extra.value.steps.contains(&PostfixStep::Bad) {
                self.findings.report(error.label("this is the fourth"));
            }
            operands.truncate(3);
        }
        Ok(Draft::Statement(Statement::Instruction(opcode, operands)))
    }

    /// A use of a macro.
    fn expansion(&mut self, macro_: usize) -> Statement {
        let arguments = if self.at_end() { Vec::new() } else { self.operands() };
        Statement::Expand(MacroUse { macro_, arguments })
    }

    /// Parses operands separated by commas. An error affects only its own operand.
    pub(super) fn operands(&mut self) -> Vec<Operand> {
        let mut operands = Vec::new();
        loop {
            let from = self.at;
            if operands.len() == MOST_OPERANDS {
                let error = self.here().error(sentence!("more than {count} operands", count = MOST_OPERANDS));
                self.findings.report(error);
                self.skip_to_end();
                return operands;
            }
            match self.operand() {
                Ok(operand) => {
                    operands.push(operand);
                    if !self.at_end() && self.peek() != Some(',') {
                        self.behind_operand();
                        operands.pop();
                        operands.push(self.bad_operand(from));
                    }
                }
                Err(error) => {
                    self.findings.report(*error);
                    self.skip_operand();
                    operands.push(self.bad_operand(from));
                }
            }
            if !self.take(',') {
                return operands;
            }
        }
    }

    /// A placeholder for an operand already reported, from byte `from` of the line to the cursor.
    pub(super) fn bad_operand(&self, from: usize) -> Operand {
        Operand { value: Expression { steps: vec![PostfixStep::Bad], span: self.since(from) }, modified: false }
    }

    /// Reports text after an operand that is not part of another operand.
    pub(super) fn behind_operand(&mut self) {
        let rest = self.rest();
        let after_digit = self.text[..self.at].ends_with(|c: char| c.is_ascii_digit());
        let fraction = after_digit && rest.starts_with('.');
        if let Err(mut error) = self.expected::<()>("`,`, an operator (`+ - *`), `[RA]` or the end of the line") {
            if rest.starts_with('(') {
                error.help = Some("the address register is added by `[RA]`".into());
            } else if fraction {
                error.help = Some(NO_IMMEDIATES.into());
            }
            self.findings.report(*error);
        }
        self.skip_operand();
    }

    /// Skips to the next comma or the end.
    pub(super) fn skip_operand(&mut self) {
        self.depth = 0;
        self.take_while(|c| !matches!(c, ',' | ';'));
    }

    pub(super) fn skip_to_end(&mut self) {
        self.take_while(|c| c != ';');
    }

    pub(super) fn operand(&mut self) -> Parse<Operand> {
        let value = self.expression()?;
        let from = self.at;
        let mut modified = false;
        if self.take('[') {
            let name = self.name(false);
            let is_ra = name.as_ref().is_some_and(|name| is_address_register(&name.text));
            if !is_ra || !self.take(']') {
                self.take_while(|c| !matches!(c, ',' | ';' | ']'));
                self.take(']');
                let error = self.since(from).error("an address is modified by `[RA]` only");
                return Err(Box::new(error.label("expected `[RA]`")));
            }
            modified = true;
        }
        Ok(Operand { value, modified })
    }

    pub(super) fn fields(&mut self) -> Parse<Statement> {
        let from = self.at;
        let code = match self.name(false) {
            Some(name) if name.text.eq_ignore_ascii_case("code") => {
                self.skip_blanks();
                let digits_from = self.at;
                let digits = self.take_while(|c| c.is_ascii_digit());
                match u8::from_str_radix(digits, 8) {
                    Ok(bits) if digits.len() == 2 => Some(Code::truncating(bits)),
                    // A label called `code` is an operand like any other.
                    _ if digits.is_empty() => None,
                    _ => {
                        let error = self.since(digits_from).error("a code is two octal digits");
                        return Err(Box::new(error));
                    }
                }
            }
            _ => None,
        };
        if code.is_none() {
            self.at = from;
        }
        let operands = self.operands();
        if operands.len() != 3 {
            let last = operands.last().map_or(self.here(), |operand| operand.value.span);
            let message =
                sentence!("`fields` takes three operands, but {operands} were given", operands = operands.len());
            return Err(Box::new(last.error(message).help("write 0 for a field that stays empty")));
        }
        Ok(Statement::Fields(code, operands))
    }

    /// Parses names separated by commas, up to the first error.
    pub(super) fn names(&mut self, local: bool) -> Vec<Name> {
        let mut names = Vec::new();
        loop {
            match self.name(local) {
                Some(name) => names.push(name),
                None => {
                    if let Err(error) = self.expected::<()>("a name") {
                        self.findings.report(*error);
                    }
                    self.skip_to_end();
                    return names;
                }
            }
            if !self.take(',') {
                return names;
            }
        }
    }
}
