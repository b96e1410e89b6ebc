//! Decodes words into [`Decoded`] cells, by tables with an entry for each of the 512 upper parts of a
//! word. An upper part holds the operation code and three bits that say which fields RA modifies.

use super::handlers::{handlers_of, shifts_of};
use super::{Decoded, Fields, Handler, M220_LANE, NOWHERE, ONE_INSTRUCTION, ONE_PLACE, SINK, with_rr};
use crate::arithmetic;
use crate::memory::RR_CELL;
use crate::registers::CubeRegisters;
use m220_isa::opcode::{Role, row_of};
use m220_isa::{Code, Model, Operation, Word};
use std::ops::Range;
use std::sync::OnceLock;

/// How the fields of a word are decoded: a mask with ones where a field takes a cube number, and the
/// flags below in bits that [`Fields`] does not use.
#[derive(Clone, Copy)]
struct Shape(u64);

impl Shape {
    /// A3 is a destination and RA does not modify it: a store to cell 0000 can be redirected to [`SINK`].
    const LOSES_IN_ZERO: u64 = 1 << 32;
    /// A shift by A1 that RA does not modify: handler and cost depend on the field.
    const SHIFTS: u64 = 1 << 33;
    /// The instruction stores its result, which is then RR.
    const STORES: u64 = 1 << 34;

    fn has(self, flag: u64) -> bool {
        self.0 & flag != 0
    }
}

/// What an upper part determines besides its [`Shape`].
#[derive(Clone, Copy)]
struct Template {
    /// `None` if [`Processor::step`](crate::processor::Processor::step) executes the instruction.
    handler: Option<Handler>,
    /// For a [`Shape::SHIFTS`]: the handlers for left and right shifts.
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
    shapes: [Shape; 512],
    templates: [Template; 512],
    /// The cell that shows RR.
    rr_cell: u16,
}

impl Decoder {
    /// The decoder for a model. `registers` are the cells that are registers (empty in memory mode I).
    pub(super) fn of(model: Model, registers: Range<u16>) -> &'static Decoder {
        static DECODERS: [OnceLock<Decoder>; 6] = [const { OnceLock::new() }; 6];
        let mode_ii = !registers.is_empty();
        DECODERS[2 * model as usize + usize::from(mode_ii)].get_or_init(|| Decoder::new(model, mode_ii))
    }

    fn new(model: Model, mode_ii: bool) -> Decoder {
        let row = |upper: usize| (row_of(model, Code::truncating(upper as u8)), upper >> 6);
        let shape = |upper: usize| {
            let (row, modify) = row(upper);
            // A jump stays in RP KRA's cube. A1 always takes a cube, since the word there goes to P1.
            let [c1, c2, c3] = row.roles.map(|role| if role == Role::Jump { 0 } else { 7 << 12 });
            let flag = |flag: u64, is: bool| if is { flag } else { 0 };
            let stores =
                matches!(row.roles[2], Role::Write | Role::Checksum) || row.operation == Operation::StoreDynamic;
            Shape(
                Fields::new(c1, c2, c3).0
                    | flag(Shape::LOSES_IN_ZERO, row.roles[2] == Role::Write && modify & 1 == 0)
                    | flag(Shape::SHIFTS, shifts_of(row.operation).is_some() && modify & 4 == 0)
                    | flag(Shape::STORES, stores),
            )
        };
        let template = |upper: usize| {
            let (row, modify) = row(upper);
            Template {
                handler: handlers_of(row.operation).map(|handlers| handlers[modify]),
                shifts: shifts_of(row.operation).map(|(left, right)| (left[modify], right[modify])),
                cost: ONE_INSTRUCTION | row.timing.m220.0 << M220_LANE | row.timing.m20.0,
            }
        };
        Decoder {
            shapes: std::array::from_fn(shape),
            templates: std::array::from_fn(template),
            rr_cell: if mode_ii { RR_CELL } else { NOWHERE },
        }
    }

    /// The handler of an instruction word; `None` if the plain engine executes it.
    pub(super) fn handler(&self, word: Word) -> Option<Handler> {
        self.templates[word.upper() as usize].handler
    }

    /// Whether the instruction stores its result, which is then RR.
    pub(super) fn stores(&self, word: Word) -> bool {
        self.shapes[word.upper() as usize].has(Shape::STORES)
    }

    #[inline(always)]
    fn fields(shape: Shape, word: Word, cubes: Cubes) -> Fields {
        let part = word.address_part();
        let fields = part >> 24 | (part & 0o77770000) << 4 | part << 48 & 0o7777 << 48 | cubes.0 & shape.0;
        // Branch-free: the condition is hard to predict.
        let lost = u64::from(part & 0o7777 == 0) & shape.0 >> Shape::LOSES_IN_ZERO.trailing_zeros();
        Fields(fields | ((lost & 1) * (u64::from(SINK) << 48)))
    }

    /// The fields of a word that replaces one with the same upper part. `None` if the handler or the
    /// cost depends on the fields too, so that the cell must be decoded afresh.
    #[inline(always)]
    pub(super) fn new_fields(&self, word: u64, cubes: Cubes) -> Option<Fields> {
        let word = Word::truncating(word);
        let shape = self.shapes[word.upper() as usize];
        let fields = Decoder::fields(shape, word, cubes);
        let other_handler = self.rr_cell != NOWHERE && fields.names(self.rr_cell);
        (!shape.has(Shape::SHIFTS) && !other_handler).then_some(fields)
    }

    /// Decodes the word of a cell; `None` if [`Processor::step`](crate::processor::Processor::step)
    /// executes it.
    #[inline]
    pub(super) fn decode(&self, word: Word, cubes: Cubes) -> Option<Decoded> {
        let decoded = self.formed(word, cubes)?;
        if decoded.fields.names(self.rr_cell) {
            return Some(Decoded { handler: with_rr, ..decoded });
        }
        let shape = self.shapes[word.upper() as usize];
        match self.templates[word.upper() as usize].shifts {
            Some((left, right)) if shape.has(Shape::SHIFTS) => {
                let by = arithmetic::biased_field(decoded.fields.a1());
                let cost = decoded.cost + u64::from(by.unsigned_abs()) * ONE_PLACE;
                Some(Decoded { handler: if by < 0 { right } else { left }, cost, ..decoded })
            }
            _ => Some(decoded),
        }
    }

    /// Decodes a word that another instruction has formed. The caller must first copy RR to the cell
    /// that shows it, since the word may read it there.
    #[inline]
    pub(super) fn formed(&self, word: Word, cubes: Cubes) -> Option<Decoded> {
        let Template { handler, cost, .. } = self.templates[word.upper() as usize];
        Some(Decoded {
            handler: handler?,
            fields: Decoder::fields(self.shapes[word.upper() as usize], word, cubes),
            cost,
        })
    }
}
