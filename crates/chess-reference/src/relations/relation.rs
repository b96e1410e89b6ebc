//! Relations: what every piece attacks, defends and controls.

use super::coding::{DIRECTIONS, piece_code};
use crate::json;
use crate::map::Letters;
use crate::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;

named! {
    /// The kinds of relation.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum RelationKind {
        /// A piece attacks an enemy piece.
        At = "at",
        /// A piece defends a piece of its own side.
        Ap = "ap",
        /// A piece controls a free square.
        Co = "co",
    }
}

/// One relation of a piece.
///
/// Relations are ordered by `from`, then `to`, as the texts of the squares are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Relation {
    /// Attack, defence or control.
    pub kind: RelationKind,
    /// Whose piece it is.
    #[serde(serialize_with = "json::colour")]
    pub side: Color,
    /// The piece.
    #[serde(serialize_with = "json::role")]
    pub piece: Role,
    /// Where it stands.
    #[serde(serialize_with = "json::text")]
    pub from: Square,
    /// The piece attacked or defended; none on a free square.
    #[serde(serialize_with = "json::role_if_any")]
    pub target: Option<Role>,
    /// The target square.
    #[serde(serialize_with = "json::text")]
    pub to: Square,
}

impl Relation {
    /// The order of the texts of the squares; the other fields matter only between relations of different boards.
    fn sort_key(&self) -> impl Ord + use<> {
        let text = |square: Square| (square.file(), square.rank());
        (text(self.from), text(self.to), self.side.is_black(), self.piece, self.kind, self.target)
    }
}

impl Ord for Relation {
    fn cmp(&self, other: &Relation) -> Ordering {
        self.sort_key().cmp(&other.sort_key())
    }
}

impl PartialOrd for Relation {
    fn partial_cmp(&self, other: &Relation) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Relation {
    /// `Rd4 at Bd7`, `Nb1 co a3`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} {} ", Letters::English.in_score(self.piece), self.from, self.kind.name())?;
        match self.target {
            Some(target) => write!(f, "{}{}", Letters::English.in_score(target), self.to),
            None => write!(f, "{}", self.to),
        }
    }
}

/// All relations on a board, sorted.
///
/// Only the first piece on a line is reached. A pawn bears on its two forward diagonals; its step ahead is not a
/// relation. Pins and checks do not matter, and the king is a piece like the others.
#[must_use]
pub fn relations(board: &Board) -> Vec<Relation> {
    let mut list = Vec::new();
    for_each_relation(board, |relation| list.push(relation));
    list.sort_unstable();
    list
}

/// The relations on a board in no order that matters.
pub(crate) fn for_each_relation(board: &Board, mut tell: impl FnMut(Relation)) {
    for (from, piece) in board.iter() {
        for to in board.attacks_from(from) {
            let target = board.piece_at(to);
            let kind = match target {
                None => RelationKind::Co,
                Some(other) if other.color == piece.color => RelationKind::Ap,
                Some(_) => RelationKind::At,
            };
            let target = target.map(|piece| piece.role);
            tell(Relation { kind, side: piece.color, piece: piece.role, from, target, to });
        }
    }
}

/// The directions in which a piece bears.
pub(super) fn directions(piece: Piece) -> &'static [(i8, i8)] {
    match piece.role {
        Role::King | Role::Queen => &DIRECTIONS[..8],
        Role::Bishop => &DIRECTIONS[..4],
        Role::Rook => &DIRECTIONS[4..8],
        Role::Knight => &DIRECTIONS[8..],
        Role::Pawn => piece.color.fold_wb(&DIRECTIONS[..2], &DIRECTIONS[2..4]),
    }
}

/// How many relations of each kind a side has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct RelationCounts {
    /// Attacks.
    pub at: usize,
    /// Defences.
    pub ap: usize,
    /// Free squares controlled.
    pub co: usize,
}

/// The relations of both sides, counted.
#[must_use]
pub fn counts(list: &[Relation]) -> ByColor<RelationCounts> {
    let mut counts = ByColor::<RelationCounts>::default();
    for relation in list {
        let side = &mut counts[relation.side];
        match relation.kind {
            RelationKind::At => side.at += 1,
            RelationKind::Ap => side.ap += 1,
            RelationKind::Co => side.co += 1,
        }
    }
    counts
}

/// Relations counted by kind and pieces: the kind, the code of the piece, the code of its target or 0.
pub type Signature = BTreeMap<(RelationKind, i8, i8), usize>;

/// The signature of relations: positions with the same signature are of one class.
#[must_use]
pub fn signature(list: &[Relation]) -> Signature {
    let code = |side: Color, piece: Role| side.fold_wb(1, -1) * piece_code(piece);
    let mut signature = Signature::new();
    for Relation { kind, side, piece, target, .. } in list {
        let enemy = if *kind == RelationKind::At { side.other() } else { *side };
        let target = target.map_or(0, |target| code(enemy, target));
        *signature.entry((*kind, code(*side, *piece), target)).or_default() += 1;
    }
    signature
}

/// The relations that a move changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Relations that vanish, sorted.
    pub lost: Vec<Relation>,
    /// Relations that appear, sorted.
    pub gained: Vec<Relation>,
}

/// The changes between two boards.
#[must_use]
pub fn change(before: &Board, after: &Board) -> Change {
    let (before, after) = (relations(before), relations(after));
    let only_in = |list: &[Relation], other: &[Relation]| {
        list.iter().filter(|relation| other.binary_search(relation).is_err()).copied().collect()
    };
    Change { lost: only_in(&before, &after), gained: only_in(&after, &before) }
}

/// The five parts of a piece's dynamic value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DynamicValue {
    /// The enemy pieces that it attacks.
    pub attacks: Vec<Relation>,
    /// The attacks on it.
    pub attacked_by: Vec<Relation>,
    /// The friendly pieces that it defends.
    pub defends: Vec<Relation>,
    /// The defences of it.
    pub defended_by: Vec<Relation>,
    /// The free squares that it controls.
    pub controls: Vec<Relation>,
}

impl DynamicValue {
    /// The parts of the piece on a square, out of all relations.
    #[must_use]
    pub fn of(square: Square, list: &[Relation]) -> DynamicValue {
        let part = |kind, on: fn(&Relation) -> Square| {
            list.iter().filter(|relation| relation.kind == kind && on(relation) == square).copied().collect()
        };
        DynamicValue {
            attacks: part(RelationKind::At, |relation| relation.from),
            attacked_by: part(RelationKind::At, |relation| relation.to),
            defends: part(RelationKind::Ap, |relation| relation.from),
            defended_by: part(RelationKind::Ap, |relation| relation.to),
            controls: part(RelationKind::Co, |relation| relation.from),
        }
    }
}
