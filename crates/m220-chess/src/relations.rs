//! The machine program for relations: inputs by name, the list and the sum read back, both engines compared.
//!
//! # The interface
//!
//! `board` holds a word for each square, row by row from a8 (the piece's code, the sign for Black); `at`, `ap` and `co`
//! hold the values in units of 1/100,000, `relations` a word for each relation. The head of the program's text says more.
//!
//! All output of the program is checked.

use crate::prelude::*;
use chess_reference::relations::{Points, Relation, RelationKind, Tables, piece_code, relations};

interface! {
    /// The cells of the interface. No board has more relations than the table has room for.
    struct RelationsCells {
        inputs: board[Size::Cells(64)], side, at[Size::Cells(36)], ap[Size::Cells(36)], co[Size::Cells(6)];
        outputs: result, count, relations[Size::Cells(1024)], evaluation;
    }
}

/// What an engine found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MachineRelations {
    /// The relations, sorted.
    pub relations: Vec<Relation>,
    /// Their sum for the side asked for.
    pub evaluation: Points,
}

chess_program! {
    /// The machine program for relations, with the cells of its interface resolved.
    pub struct RelationsProgram {
        cells: RelationsCells,
    }

    const BUILT_IN: BuiltIn = BuiltIn { name: "relations", cubes: 1 };
}

/// The relations on a board, and their sum for a side.
#[derive(Clone, Copy, Debug)]
pub struct RelationsQuestion<'a> {
    /// The board.
    pub board: &'a Board,
    /// The side whose sum is wanted.
    pub side: Color,
    /// The values of the relations.
    pub tables: &'a Tables,
}

impl ProgramQuestion for RelationsQuestion<'_> {
    type Program = RelationsProgram;
    type Answer = MachineRelations;
    type Native = MachineRelations;

    fn put(&self, RelationsProgram { cells, .. }: &RelationsProgram, run: &mut ProgramRun) -> Result<(), ProgramError> {
        let RelationsQuestion { board, side, tables } = self;
        for (square, piece) in board.iter() {
            let sign = piece.color.fold_wb(0, SIGN);
            let code = piece_code(piece.role) as u64;
            // Row by row from a8.
            run.put(cells.board.cell(square.flip_vertical() as u16), Word::from_parts(sign, code))?;
        }
        run.put_number(cells.side, side.fold_wb(0, 1))?;
        for x in Role::ALL {
            let row = piece_code(x) as u16 - 1;
            for y in Role::ALL {
                let place = 6 * row + piece_code(y) as u16 - 1;
                let value = |kind| units(tables.value_of(kind, x, Some(y)));
                run.put(cells.at.cell(place), value(RelationKind::At))?;
                run.put(cells.ap.cell(place), value(RelationKind::Ap))?;
            }
            run.put(cells.co.cell(row), units(tables.value_of(RelationKind::Co, x, None)))?;
        }
        Ok(())
    }

    fn read(
        &self,
        RelationsProgram { cells, .. }: &RelationsProgram,
        run: &ProgramRun,
        ending: ResultCode,
    ) -> Result<MachineRelations, NoAnswer> {
        if ending != ResultCode::Done {
            return Err(NoAnswer::Fault(format!("{ending:?}: the program has no such answer")));
        }
        let words = run.listed(cells.relations, ("count", cells.count))?;
        let read = |cell: (CoreAddress, Word)| relation_of(cell.1).ok_or_else(|| NoAnswer::of_word(cell, "a relation"));
        let mut relations = words.map(read).collect::<Result<Vec<Relation>, NoAnswer>>()?;
        relations.sort_unstable();
        // Integers of 36 bits, negative ones as their complement.
        let bits = run.number(cells.evaluation) as i64;
        let evaluation = Points::from_units(if bits < 1 << 35 { bits } else { bits - (1 << 36) });
        Ok(MachineRelations { relations, evaluation })
    }

    fn native(&self) -> MachineRelations {
        let list = relations(self.board);
        MachineRelations { evaluation: self.tables.sum(&list, self.side), relations: list }
    }

    fn differences(native: &MachineRelations, machine: &MachineRelations) -> Result<Vec<Difference>, String> {
        Ok(compare_relations(native, machine))
    }
}

/// Compares the lists as sets, and the sums.
#[must_use]
pub fn compare_relations(native: &MachineRelations, machine: &MachineRelations) -> Vec<Difference> {
    compare_items(native, machine, |of| {
        let mut items: Vec<String> =
            of.relations.iter().map(|relation| format!("{:?} {relation}", relation.side)).collect();
        items.push(format!("evaluation {}", of.evaluation));
        items
    })
}

/// The upper part of a word with the sign set.
const SIGN: u64 = 0o200;

fn units(value: Points) -> Word {
    Word::from_parts(0, value.units() as u64 & ((1 << 36) - 1))
}

/// The relation that a word encodes, if it is one: kind, piece, square, piece, square.
fn relation_of(word: Word) -> Option<Relation> {
    let bits = word.bits();
    let part = |from: u32, width: u32| (bits >> from & ((1 << width) - 1)) as u16;
    let square = |from: u32| Square::new(part(from, 6).into()).flip_vertical();
    let role = |code: u16| Role::ALL.into_iter().find(|&role| piece_code(role) as u16 == code & 7);
    let side = |code: u16| Color::from_white(code & 8 == 0);
    let (x, y) = (part(16, 4), part(6, 4));
    let kind = *RelationKind::ALL.get(usize::from(part(20, 2)).checked_sub(1)?)?;
    let fits = match kind {
        RelationKind::At => side(x) != side(y),
        RelationKind::Ap => side(x) == side(y),
        RelationKind::Co => y == 0,
    };
    let target = role(y);
    let known = bits >> 22 == 0 && fits && (target.is_some() || kind == RelationKind::Co);
    known.then_some(())?;
    Some(Relation { kind, side: side(x), piece: role(x)?, from: square(10), target, to: square(0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_relations_and_others_are_not() {
        // Rook d4 attacks the bishop d7: kind 1, x 3, 4 x 8 + 3, y 10 + 4, 1 x 8 + 3.
        let attack = relation_of("0 00 0000 0431 6013".parse().unwrap()).map(|relation| relation.to_string());
        assert_eq!(attack, None, "a shifted word");
        let bits = 1 << 20 | 3 << 16 | (4 * 8 + 3) << 10 | (8 + 4) << 6 | (8 + 3);
        let read = |bits| relation_of(Word::truncating(bits)).map(|relation| relation.to_string());
        assert_eq!(read(bits).as_deref(), Some("Rd4 at Bd7"));
        assert_eq!(read(bits | 1 << 22), None);
        assert_eq!(read(bits & !(8 << 6)), None, "an attack on a friendly piece");
        assert_eq!(read(bits & !(3 << 20)), None, "no kind");
        assert_eq!(read(bits | 7 << 16), None, "no piece");
    }
}
