//! Decodes words into [`Decoded`] cells, by tables with an entry for each of the 512 upper parts of a
//! word. An upper part holds the operation code and three bits that say which fields RA modifies.

use super::handlers::{handlers_of, shifts_of, tests_of};
use super::{Decoded, Fields, Handler, M220_LANE, ONE_INSTRUCTION, ONE_PLACE, REGISTERS};
use crate::arithmetic;
use crate::registers::CubeRegisters;
use m220_isa::opcode::{Role, row_of};
use m220_isa::{Code, Model, Operation, When, Word};
use std::ops::Range;
use std::sync::OnceLock;

/// What an upper part determines.
#[derive(Clone, Copy)]
struct Template {
    /// A mask with ones where a field takes a cube number, and [`Fields::FLAGS`].
    shape: u64,
    /// The instruction stores its result, which is then RR.
    stores: bool,
    /// `None` if [`Processor::step`](crate::processor::Processor::step) executes the instruction.
    handler: Option<Handler>,
    /// For an operation that is mostly a test: the handler for a cell before a jump on Omega.
    test: Option<Handler>,
    /// It is such a jump.
    is_tested_jump: bool,
    /// For a shift by A1 that RA does not modify, whose handler and cost depend on the field: the
    /// handlers for left and right shifts.
    shifts: Option<(Handler, Handler)>,
    cost: u64,
}

/// The numbers in RP A1, RP A2 and RP A3, at the places where [`Fields`] hold cube numbers.
#[derive(Clone, Copy)]
pub(super) struct Cubes(u64);

impl Cubes {
    pub(super) fn of(registers: CubeRegisters) -> Cubes {
        let [c1, c2, c3] = registers.operands().map(|cube| u16::from(cube) << 12);
        Cubes(Fields::new(c1, c2, c3).0)
    }
}

/// Decodes words for a model.
pub(super) struct Decoder {
    templates: [Template; 512],
}

impl Decoder {
    /// The decoder for a model. `registers` are the cells that are registers (empty in memory mode I).
    pub(super) fn of(model: Model, registers: Range<u16>) -> &'static Decoder {
        static DECODERS: [OnceLock<Decoder>; 6] = [const { OnceLock::new() }; 6];
        let mode_ii = !registers.is_empty();
        DECODERS[2 * model as usize + usize::from(mode_ii)].get_or_init(|| Decoder::new(model, mode_ii))
    }

    fn new(model: Model, mode_ii: bool) -> Decoder {
        let registers = if mode_ii { REGISTERS } else { 0 };
        let template = |upper: usize| {
            let (row, modify) = (row_of(model, Code::truncating(upper as u8)), upper >> 6);
            // A jump stays in RP KRA's cube. The word at A1 goes to P1 whatever A1 is.
            let [c1, c2, c3] = row.roles.map(|role| if role == Role::Jump { 0 } else { 3 << 12 });
            let flag = |flag: u64, is: bool| if is { flag } else { 0 };
            let shifts = shifts_of(row.operation).filter(|_| modify & 4 == 0);
            Template {
                shape: Fields::new(c1, c2, c3).0
                    | flag(Fields::LOSES_IN_ZERO, row.roles[2] == Role::Write && modify & 1 == 0)
                    | flag(Fields::SETTLED, shifts.is_some()),
                stores: matches!(row.roles[2], Role::Write | Role::Checksum)
                    || row.operation == Operation::StoreDynamic,
                handler: handlers_of(row.operation).map(|handlers| handlers[modify | registers]),
                test: tests_of(row.operation).map(|handlers| handlers[modify | registers]),
                is_tested_jump: matches!(row.operation, Operation::Jump { when: When::Omega | When::NotOmega }),
                shifts: shifts.map(|(left, right)| (left[modify | registers], right[modify | registers])),
                cost: ONE_INSTRUCTION | row.timing.m220.0 << M220_LANE | row.timing.m20.0,
            }
        };
        Decoder { templates: std::array::from_fn(template) }
    }

    fn template(&self, word: Word) -> &Template {
        &self.templates[word.upper() as usize]
    }

    /// Whether the instruction stores its result, which is then RR.
    pub(super) fn stores(&self, word: Word) -> bool {
        self.template(word).stores
    }

    /// Decodes an instruction word; `None` if [`Processor::step`](crate::processor::Processor::step)
    /// executes it. `settle`: the handler and cost of a shift are those for its A1. `following` is the word in the next
    /// cell, which only makes a handler faster: nothing depends on it if it changes later.
    #[inline]
    pub(super) fn decode(&self, word: Word, following: Word, cubes: Cubes, settle: bool) -> Option<Decoded> {
        let &Template { handler, test, shape, cost, shifts, .. } = self.template(word);
        let handler = test.filter(|_| self.template(following).is_tested_jump).or(handler);
        let flags = if settle { Fields::FLAGS } else { Fields::LOSES_IN_ZERO };
        let fields = Fields::of(word.bits(), shape & (cubes.0 | flags));
        let decoded = Decoded { handler: handler?, fields, cost };
        let Some((left, right)) = shifts.filter(|_| settle) else { return Some(decoded) };
        let by = arithmetic::biased_field(word.a1().get());
        let cost = cost + u64::from(by.unsigned_abs()) * ONE_PLACE;
        Some(Decoded { handler: if by < 0 { right } else { left }, cost, ..decoded })
    }
}
