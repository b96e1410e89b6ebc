//! The tree of sensible moves, grown until a verdict is proved.

use super::build::Reach;
use super::exchange::{after, hangs_king, king_can_be_taken, moves_from};
use super::hope::{Before, Interpretation, Judge, Recognition, Test, Won};
use super::sensible::{Sense, Step, sensible_moves, won_at_once};
use super::ways::Lookout;
use crate::parallel::*;
use crate::prelude::*;
use m220_limits::WorkDone;
use smallvec::SmallVec;
use std::collections::HashMap;

/// The index of a position in a [`Tree`].
pub(crate) type Id = u32;

/// A move, `None` for a stop, and the position that it leads to.
pub(crate) type Edge = (Option<Step>, Id);

/// What is known of one question, "does this side win the variation whatever the other does?", at one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WinAnswer {
    Open,
    Yes,
    No,
}

#[derive(Debug)]
pub(crate) struct Node {
    /// Kept once it has been looked into, and where no move leads there: most positions never are.
    board: Option<Box<Board>>,
    pub(crate) turn: Color,
    /// The moves that keep the mover's inequality; `None` until they are looked for.
    pub(crate) moves: Option<Box<[Edge]>>,
    /// Most positions have one.
    parents: SmallVec<[Id; 2]>,
    /// For the questions "White wins?" and "Black wins?".
    answers: [WinAnswer; 2],
    /// When each question was answered: an answer rests on earlier ones, or on the impossibility of any other.
    answered: [u32; 2],
    numbers: [Numbers; 2],
}

impl Node {
    /// A position of which nothing is known.
    fn new(board: Option<Box<Board>>, turn: Color) -> Node {
        Node {
            board,
            turn,
            moves: None,
            parents: SmallVec::new(),
            answers: [WinAnswer::Open; 2],
            answered: [0; 2],
            numbers: [Numbers { yes: 1, no: 1 }; 2],
        }
    }
}

/// Proof numbers: the least number of open leaves that must be answered before the answer is yes, or no.
#[derive(Debug, Clone, Copy)]
struct Numbers {
    yes: u32,
    no: u32,
}

const NEVER: u32 = u32::MAX / 4;

const fn question(side: Color) -> usize {
    side as usize
}

/// The outcomes of a variation ended by a stop: the first nodes of every tree.
const NOBODY_WON: Id = 0;
const WHITE_WON: Id = 1;
const BLACK_WON: Id = 2;
/// The position that the tree was grown from.
pub(crate) const ROOT: Id = 3;

/// The most positions that the trees of one question keep together, about 100 bytes each.
pub(crate) const MOST_KEPT: usize = 1_000_000;

/// Whether a node is the end of a variation rather than a position.
pub(crate) const fn is_end(id: Id) -> bool {
    id < ROOT
}

/// The positions reached from a position by sensible moves that keep the mover's inequality.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// The positions that are recognised when they recur.
    known: HashMap<(Board, Color), Id>,
    judge: Judge,
    /// Where gains are counted from.
    base: Board,
    /// The expanded positions, in order.
    looked_into: Vec<Id>,
    /// The number of moves that were linked to a known position.
    pub(crate) links: u64,
    answers_given: u32,
    /// The number of nodes at which growth ends.
    full: usize,
}

impl Tree {
    /// A tree that grows from `board`; gains are counted from `base`.
    pub(crate) fn new(judge: Judge, base: &Board, board: Board, turn: Color) -> Tree {
        let mut tree = Tree {
            nodes: Vec::new(),
            known: HashMap::new(),
            judge,
            base: base.clone(),
            looked_into: Vec::new(),
            links: 0,
            answers_given: 0,
            full: MOST_KEPT,
        };
        for winner in [None, Some(Color::White), Some(Color::Black)] {
            let answer = |side| if winner == Some(side) { WinAnswer::Yes } else { WinAnswer::No };
            let answers = [Color::Black, Color::White].map(answer);
            tree.nodes.push(Node { moves: Some(Box::default()), answers, ..Node::new(None, turn) });
        }
        tree.node(board, turn);
        tree
    }

    /// The number of positions expanded.
    pub(crate) fn expanded(&self) -> u64 {
        self.looked_into.len() as u64
    }

    /// The expanded positions, in order.
    pub(crate) fn looked_into(&self) -> impl Iterator<Item = (&Board, Color)> {
        self.looked_into.iter().filter_map(|&id| Some((self.get(id).board.as_deref()?, self.get(id).turn)))
    }

    /// The moves that lead from the root to each expanded position, in order.
    pub(crate) fn lines(&self) -> Vec<Vec<Step>> {
        let mut lines: Vec<Vec<Step>> = vec![Vec::new(); self.nodes.len()];
        for &id in &self.looked_into {
            for &(step, child) in self.get(id).moves.iter().flatten() {
                // A position's first way is by the move that found it.
                if let Some(step) = step.filter(|_| child > id && lines[child as usize].is_empty()) {
                    lines[child as usize] = lines[id as usize].iter().copied().chain([step]).collect();
                }
            }
        }
        self.looked_into.iter().map(|&id| lines[id as usize].clone()).collect()
    }

    /// The number of its nodes: the first, and one for each move that keeps its inequality.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len() - ROOT as usize
    }

    /// Lets the tree grow by this number of nodes, plus the successors of the last.
    pub(crate) fn give_room(&mut self, nodes: usize) {
        self.full = self.nodes.len().saturating_add(nodes);
    }

    pub(crate) fn get(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn answer(&self, id: Id, side: Color) -> WinAnswer {
        self.get(id).answers[question(side)]
    }

    /// When the question was answered, as a serial number.
    pub(crate) fn answered(&self, id: Id, side: Color) -> u32 {
        self.get(id).answered[question(side)]
    }

    fn give(&mut self, id: usize, side: Color, answer: WinAnswer) {
        self.answers_given += 1;
        self.nodes[id].answers[question(side)] = answer;
        self.nodes[id].answered[question(side)] = self.answers_given;
    }

    /// The board of a position.
    pub(crate) fn board(&self, id: Id) -> Board {
        let node = self.get(id);
        if let Some(board) = &node.board {
            return (**board).clone();
        }
        // A move from a position that was looked into leads there.
        let steps = node.parents.iter().filter_map(|&parent| {
            let parent = self.get(parent);
            let &(step, _) = parent.moves.iter().flatten().find(|&&(_, child)| child == id)?;
            Some((parent.board.as_deref()?, step?))
        });
        steps.map(|(board, step)| after(board, step.from, step.to)).next().unwrap_or_else(Board::empty)
    }

    /// The node for a position that a move leads to.
    fn child(&mut self, board: &Board, step: Step, effort: u32, turn: Color) -> Id {
        match self.judge.interpretation.recognition {
            Recognition::WhenLookedInto => self.leaf(None, effort, turn),
            Recognition::WhenReached => self.node(after(board, step.from, step.to), turn),
        }
    }

    /// The node of a position, new or known.
    pub(crate) fn node(&mut self, board: Board, turn: Color) -> Id {
        if let Some(id) = self.known(&board, turn) {
            return id;
        }
        let id = self.leaf(Some(Box::new(board.clone())), effort(&board, turn), turn);
        if self.judge.interpretation.recognition == Recognition::WhenReached {
            self.know(id, board);
        }
        id
    }

    fn known(&self, board: &Board, turn: Color) -> Option<Id> {
        self.known.get(&(board.clone(), turn)).copied()
    }

    /// Makes the position of a node recognisable from now on.
    fn know(&mut self, id: Id, board: Board) {
        let turn = self.get(id).turn;
        self.known.entry((board, turn)).or_insert(id);
    }

    /// A new node.
    fn leaf(&mut self, board: Option<Box<Board>>, effort: u32, turn: Color) -> Id {
        let id = self.nodes.len() as Id;
        let mut node = Node::new(board, turn);
        node.numbers[question(turn.other())].yes = effort;
        self.nodes.push(node);
        id
    }

    /// The node for what a variation is worth to White when it ends.
    const fn end(worth: i32) -> Id {
        match worth {
            0 => NOBODY_WON,
            1.. => WHITE_WON,
            _ => BLACK_WON,
        }
    }

    /// Whether the side to move is stalemated.
    pub(crate) fn is_stalemate(board: &Board, turn: Color) -> bool {
        let legal = |from| moves_from(board, from).into_iter().any(|to| !hangs_king(board, from, to));
        !king_can_be_taken(board, turn) && !board.by_color(turn).into_iter().any(legal)
    }

    /// Finds the moves of a position, and settles what follows from them; false if the limits stop it.
    fn expand(&mut self, id: Id, limits: &Limits) -> Result<bool, TooMany> {
        let (board, turn) = (self.board(id), self.get(id).turn);
        let won = Won::between(&self.base, &board);
        let sensible = Sensible::of(self.judge, &board, turn)?;
        let before = Before::new(self.judge, &board, turn, won, &sensible.own);
        // In parallel: where one first move outweighs the others, the threads meet here. The stop is the last.
        let asked: Vec<Option<Step>> = sensible.moves.iter().map(|&(step, _)| Some(step)).chain([None]).collect();
        let test = |&step: &Option<Step>| -> Result<Option<Kept>, TooMany> {
            if limits.is_over() || !self.judge.keeps(&before, step)? {
                return Ok(None);
            }
            Ok(Some(match step {
                Some(step) => Kept::Move(step, effort(&after(&board, step.from, step.to), turn.other())),
                None => Kept::Stop(Tree::end(self.judge.worth_of_stop(&board, turn, won)?)),
            }))
        };
        // Pieces that are worth a thread's while.
        let pieces = asked.par_chunks(asked.len().div_ceil(2 * current_num_threads()));
        let tests: Vec<Vec<_>> = pieces.map(|piece| piece.iter().map(test).collect()).collect();
        if limits.is_over() {
            return Ok(false);
        }
        let (mut moves, mut stop) = (Vec::<Edge>::new(), None);
        for test in tests.into_iter().flatten() {
            match test? {
                Some(Kept::Move(step, effort)) => {
                    moves.push((Some(step), self.child(&board, step, effort, turn.other())));
                }
                Some(Kept::Stop(end)) => stop = Some(end),
                None => {}
            }
        }
        if moves.is_empty() && Tree::is_stalemate(&board, turn) {
            stop = Some(NOBODY_WON);
        }
        moves.extend(stop.map(|end| (None, end)));
        for &(_, child) in &moves {
            let parents = &mut self.nodes[child as usize].parents;
            if !is_end(child) && !parents.contains(&id) {
                parents.push(id);
            }
        }
        self.nodes[id as usize].moves = Some(moves.into_boxed_slice());
        self.nodes[id as usize].board = Some(Box::new(board.clone()));
        self.looked_into.push(id);
        self.know(id, board);
        self.settle(id);
        Ok(true)
    }

    /// Looks into the last position of `path`. If it was looked into before, the move that leads there is linked to
    /// that node instead, and `path` ends at its parent.
    fn look_into(&mut self, path: &mut Vec<Id>, limits: &Limits) -> Result<(), TooMany> {
        let Some(&leaf) = path.last() else { return Ok(()) };
        let (board, turn) = (self.board(leaf), self.get(leaf).turn);
        if let (Some(known), [.., parent, _]) = (self.known(&board, turn), path.as_slice())
            && known != leaf
        {
            self.link(*parent, leaf, known);
            path.pop();
            return Ok(());
        }
        if self.expand(leaf, limits)? {
            limits.tell(WorkDone { positions: 1, ..WorkDone::default() });
        }
        Ok(())
    }

    /// Redirects the move from `parent` to `leaf` to `known`, the same position.
    fn link(&mut self, parent: Id, leaf: Id, known: Id) {
        for (_, child) in self.nodes[parent as usize].moves.iter_mut().flatten() {
            if *child == leaf {
                *child = known;
            }
        }
        self.links += 1;
        self.nodes[leaf as usize].parents.clear();
        let parents = &mut self.nodes[known as usize].parents;
        if !parents.contains(&parent) {
            parents.push(parent);
        }
        self.settle(parent);
    }

    /// Answers what can be answered at `id`, and then at the positions before it.
    fn settle(&mut self, id: Id) {
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            let mut news = false;
            for side in Color::ALL {
                if self.answer(id, side) == WinAnswer::Open {
                    let answer = self.deduce(id, side);
                    if answer != WinAnswer::Open {
                        self.give(id as usize, side, answer);
                        news = true;
                    }
                }
            }
            if news {
                waiting.extend_from_slice(&self.get(id).parents);
            }
        }
    }

    fn deduce(&self, id: Id, side: Color) -> WinAnswer {
        let node = self.get(id);
        let Some(moves) = &node.moves else {
            return WinAnswer::Open;
        };
        let mut answers = moves.iter().map(|&(_, child)| self.answer(child, side));
        // The side asked about needs one good move; every move of the other side must fail.
        let (one, all) =
            if node.turn == side { (WinAnswer::Yes, WinAnswer::No) } else { (WinAnswer::No, WinAnswer::Yes) };
        if answers.clone().any(|answer| answer == one) {
            one
        } else if answers.all(|answer| answer == all) {
            all
        } else {
            WinAnswer::Open
        }
    }

    /// Answers no wherever `side` could not win even if every position not yet looked into were won: repeating moves
    /// wins nothing.
    fn close(&mut self, side: Color) {
        let mut possible = vec![false; self.nodes.len()];
        let mut missing: Vec<usize> = Vec::with_capacity(self.nodes.len());
        let mut waiting = Vec::new();
        for (id, node) in self.nodes.iter().enumerate() {
            let answer = node.answers[question(side)];
            // Ends do not know their parents, so those won for the side are deducted here.
            let won = |&&(_, child): &&Edge| is_end(child) && self.answer(child, side) == WinAnswer::Yes;
            let moves = node.moves.as_ref().map_or(0, |moves| moves.iter().filter(|each| !won(each)).count());
            missing.push(if node.turn == side { 1 } else { moves });
            if answer == WinAnswer::Yes || (answer == WinAnswer::Open && node.moves.is_none()) {
                possible[id] = true;
                waiting.push(id);
            }
        }
        while let Some(id) = waiting.pop() {
            for &parent in &self.nodes[id].parents {
                let parent = parent as usize;
                if possible[parent] || self.nodes[parent].answers[question(side)] == WinAnswer::No {
                    continue;
                }
                missing[parent] = missing[parent].saturating_sub(1);
                if missing[parent] == 0 {
                    possible[parent] = true;
                    waiting.push(parent);
                }
            }
        }
        for (id, possible) in possible.into_iter().enumerate() {
            if !possible && self.nodes[id].answers[question(side)] == WinAnswer::Open {
                self.give(id, side, WinAnswer::No);
            }
        }
    }

    /// Grows the tree under `root` until the question is answered, `budget` more positions have been looked into, or
    /// there is no more room.
    pub(crate) fn ask(&mut self, root: Id, side: Color, budget: u64, limits: &Limits) -> Result<WinAnswer, TooMany> {
        on_worker(|| self.ask_here(root, side, budget, limits))
    }

    fn ask_here(&mut self, root: Id, side: Color, budget: u64, limits: &Limits) -> Result<WinAnswer, TooMany> {
        let end = self.expanded() + budget;
        let mut next_close = self.nodes.len() * 2 + 1000;
        let mut stuck = 0;
        let may_grow = |tree: &Tree| tree.expanded() < end && tree.nodes.len() < tree.full && !limits.is_over();
        while self.answer(root, side) == WinAnswer::Open && may_grow(self) {
            let mut path = self.descend(root, side);
            let &leaf = path.last().unwrap_or(&root);
            if self.get(leaf).moves.is_none() {
                self.look_into(&mut path, limits)?;
                stuck = 0;
            } else {
                stuck += 1;
            }
            self.refresh(&path, side);
            let lost_way = stuck > 0 && self.get(root).numbers[question(side)].yes >= NEVER;
            if self.nodes.len() > next_close || lost_way || stuck > 1000 {
                self.close(side);
                next_close = self.nodes.len() * 2;
                if lost_way || stuck > 1000 {
                    if self.answer(root, side) != WinAnswer::Open {
                        break;
                    }
                    self.renumber(side);
                    if stuck > 1000 {
                        break;
                    }
                }
            }
        }
        if self.answer(root, side) == WinAnswer::Open {
            self.close(side);
        }
        Ok(self.answer(root, side))
    }

    /// Walks from `root` to the position whose answer is likely to cost least.
    fn descend(&self, root: Id, side: Color) -> Vec<Id> {
        let mut path = vec![root];
        let mut id = root;
        loop {
            let node = self.get(id);
            let Some(moves) = &node.moves else {
                return path;
            };
            let chosen = moves
                .iter()
                .map(|&(_, child)| child)
                .filter(|&child| self.answer(child, side) == WinAnswer::Open && !path.contains(&child))
                .min_by_key(|&child| {
                    let numbers = self.get(child).numbers[question(side)];
                    if node.turn == side { (numbers.yes, numbers.no) } else { (numbers.no, numbers.yes) }
                });
            let Some(child) = chosen else {
                return path;
            };
            path.push(child);
            id = child;
        }
    }

    /// Updates the proof numbers along the path, from its end. A move back into the path wins nothing.
    fn refresh(&mut self, path: &[Id], side: Color) {
        for (i, &id) in path.iter().enumerate().rev() {
            let numbers = self.numbers(id, side, &path[..i]);
            self.nodes[id as usize].numbers[question(side)] = numbers;
        }
    }

    fn numbers(&self, id: Id, side: Color, path: &[Id]) -> Numbers {
        let node = self.get(id);
        let settled = |answer| match answer {
            WinAnswer::Yes => Some(Numbers { yes: 0, no: NEVER }),
            WinAnswer::No => Some(Numbers { yes: NEVER, no: 0 }),
            WinAnswer::Open => None,
        };
        if let Some(numbers) = settled(self.answer(id, side)) {
            return numbers;
        }
        let Some(moves) = &node.moves else {
            return node.numbers[question(side)];
        };
        let (mut least, mut most, mut open) = (NEVER, 0, 0);
        for &(_, child) in moves {
            let numbers = if path.contains(&child) || child == id {
                Numbers { yes: NEVER, no: 1 }
            } else {
                settled(self.answer(child, side)).unwrap_or(self.get(child).numbers[question(side)])
            };
            let (one, all) = if node.turn == side { (numbers.yes, numbers.no) } else { (numbers.no, numbers.yes) };
            least = least.min(one);
            if all > 0 {
                open += 1;
                most = most.max(all);
            }
        }
        let all = (most + open).saturating_sub(1).min(NEVER);
        if node.turn == side { Numbers { yes: least, no: all } } else { Numbers { yes: all, no: least } }
    }

    /// Discards the proof numbers of a question when repetitions have distorted them.
    fn renumber(&mut self, side: Color) {
        for node in &mut self.nodes {
            node.numbers[question(side)] = Numbers { yes: 1, no: 1 };
        }
    }
}

/// What keeps the inequality of the side to move.
enum Kept {
    /// A move, with the [`effort`] of the position that it leads to.
    Move(Step, u32),
    /// The stop, with the end that it leads to.
    Stop(Id),
}

/// How soon a position is looked at when its question is whether the side not to move wins. A side that must answer a
/// threat has fewer moves: such positions come first.
fn effort(board: &Board, turn: Color) -> u32 {
    if king_can_be_taken(board, turn) {
        1
    } else if won_at_once(board, turn.other()) > 0 {
        3
    } else {
        8
    }
}

/// The sensible moves of a position, with the attacks of the side to move.
pub(crate) struct Sensible {
    pub(crate) own: Vec<crate::Attack>,
    pub(crate) moves: Vec<(Step, Sense)>,
}

impl Sensible {
    pub(crate) fn of(judge: Judge, board: &Board, turn: Color) -> Result<Sensible, TooMany> {
        let Judge { horizon, interpretation: Interpretation { own_pieces, .. } } = judge;
        let attacks = |side| Lookout::new(board, turn, horizon, side, Reach::FromNow, own_pieces, 0).attacks();
        // Too little for two threads: a thread that is woken for it comes too late.
        let [own, others] = [turn, turn.other()].map(attacks);
        let (own, others) = (own?, others?);
        let moves = sensible_moves(board, turn, own.iter().chain(&others));
        Ok(Sensible { own, moves })
    }
}

/// The sensible moves of a position with their tests, the stop (`None`) last; gains are counted from `base`. Those that
/// the limits leave no time for are missing.
pub(crate) fn tested(
    judge: Judge,
    base: &Board,
    board: &Board,
    turn: Color,
    limits: &Limits,
) -> Result<Vec<Tested>, TooMany> {
    let sensible = Sensible::of(judge, board, turn)?;
    let before = Before::new(judge, board, turn, Won::between(base, board), &sensible.own);
    let moves = sensible.moves.iter().copied().map(Some).chain([None]);
    moves
        .take_while(|_| !limits.is_over())
        .map(|found| Ok((found, judge.test(&before, found.map(|(step, _)| step))?)))
        .collect()
}

/// A move with the reason for looking at it (none for the stop), and its test.
pub(crate) type Tested = (Option<(Step, Sense)>, Test);
