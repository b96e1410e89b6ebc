//! The tree of sensible moves, grown until a verdict is proved.

use super::build::Map;
use super::exchange::{after, gain, king_can_be_taken};
use super::hope::{QuietMoves, Rules, Test, Won, test};
use super::sensible::{Sense, Step, sensible_moves, won_at_once};
use crate::{TooMany, attacks};
use shakmaty::{Board, Color};
use std::collections::HashMap;

/// The place of a position in a [`Tree`].
pub(crate) type Id = u32;

/// What is known of one question, "does this side win the variation by force?", at one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Open,
    Yes,
    No,
}

/// How many quiet moves the variation has had since the last capture or promotion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// None.
    Play,
    /// One.
    Quiet,
    /// As many as end the variation.
    Over,
}

impl Stage {
    /// The stage after a move: `step` is none for a quiet move.
    pub(crate) fn after(self, board: &Board, step: Option<Step>, rules: Rules) -> Stage {
        match (step, self, rules.quiet_moves) {
            (Some(step), _, _) if gain(board, step.from, step.to) > 0 => Stage::Play,
            (Some(_), stage, _) => stage,
            (None, Stage::Play, QuietMoves::Two) => Stage::Quiet,
            (None, _, _) => Stage::Over,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) board: Board,
    pub(crate) turn: Color,
    pub(crate) stage: Stage,
    /// What both sides have won since the root.
    won: Won,
    /// The moves that keep the mover's inequality; `None` until they are looked for.
    pub(crate) moves: Option<Vec<(Option<Step>, Id)>>,
    parents: Vec<Id>,
    /// For the questions "White wins?" and "Black wins?".
    answers: [Answer; 2],
    /// When each question was answered: an answer rests on earlier ones, or on the impossibility of any other.
    answered: [u32; 2],
    numbers: [Numbers; 2],
}

/// Proof numbers: how much is at least missing for the answer yes, and for the answer no.
#[derive(Debug, Clone, Copy)]
struct Numbers {
    yes: u32,
    no: u32,
}

const NEVER: u32 = u32::MAX / 4;

const fn question(side: Color) -> usize {
    side as usize
}

/// The positions reached from a root by sensible moves that keep the mover's inequality.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    index: HashMap<(Board, Color, Stage), Id>,
    horizon: u32,
    pub(crate) rules: Rules,
    root: Board,
    /// The number of positions whose moves were found.
    pub(crate) expanded: u64,
    answers_given: u32,
}

impl Tree {
    pub(crate) fn new(board: &Board, turn: Color, horizon: u32, rules: Rules) -> Tree {
        let mut tree = Tree {
            nodes: Vec::new(),
            index: HashMap::new(),
            horizon,
            rules,
            root: board.clone(),
            expanded: 0,
            answers_given: 0,
        };
        tree.node(board.clone(), turn, Stage::Play);
        tree
    }

    pub(crate) fn get(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn answer(&self, id: Id, side: Color) -> Answer {
        self.get(id).answers[question(side)]
    }

    /// When the question was answered, as a running number.
    pub(crate) fn answered(&self, id: Id, side: Color) -> u32 {
        self.get(id).answered[question(side)]
    }

    fn give(&mut self, id: usize, side: Color, answer: Answer) {
        self.answers_given += 1;
        self.nodes[id].answers[question(side)] = answer;
        self.nodes[id].answered[question(side)] = self.answers_given;
    }

    /// The node of a position, if it is in the tree.
    pub(crate) fn find(&self, board: Board, turn: Color, stage: Stage) -> Option<Id> {
        self.index.get(&(board, turn, stage)).copied()
    }

    /// The node of a position, new or known.
    pub(crate) fn node(&mut self, board: Board, turn: Color, stage: Stage) -> Id {
        let key = (board, turn, stage);
        if let Some(&id) = self.index.get(&key) {
            return id;
        }
        let id = self.nodes.len() as Id;
        let won = Won::between(&self.root, &key.0);
        let mut node = Node {
            board: key.0.clone(),
            turn,
            stage,
            won,
            moves: None,
            parents: Vec::new(),
            answers: [Answer::Open; 2],
            answered: [0; 2],
            numbers: [Numbers { yes: 1, no: 1 }; 2],
        };
        if stage == Stage::Over {
            node.moves = Some(Vec::new());
            for side in Color::ALL {
                let wins = side.fold_wb(won.balance(), -won.balance()) > 0;
                node.answers[question(side)] = if wins { Answer::Yes } else { Answer::No };
            }
        } else {
            // A side that must answer a threat has fewer moves: its positions are looked at first.
            let checked = king_can_be_taken(&node.board, turn);
            let urgent = checked || won_at_once(&node.board, turn.other()) > 0;
            let effort = if checked {
                1
            } else if urgent {
                3
            } else {
                8
            };
            node.numbers[question(turn.other())].yes = effort;
        }
        self.nodes.push(node);
        self.index.insert(key, id);
        id
    }

    /// The tested moves of a position: sensible ones, then the quiet one.
    pub(crate) fn tested(&self, board: &Board, turn: Color) -> Result<Vec<Tested>, TooMany> {
        let map = Map::of(board, turn, self.horizon)?;
        let won = Won::between(&self.root, board);
        let sensible = map.sensible_moves().into_iter().map(Some).chain([None]);
        sensible
            .map(|sensible| {
                let step = sensible.map(|(step, _)| step);
                let next = step.map_or_else(|| board.clone(), |step| after(board, step.from, step.to));
                let next = Map::of_one_side(&next, turn.other(), self.horizon, turn)?;
                Ok((sensible, test(&map, &next, step, won, self.rules)))
            })
            .collect()
    }

    /// Finds the moves of a position, and settles what follows from them.
    pub(crate) fn expand(&mut self, id: Id) -> Result<(), TooMany> {
        let node = self.get(id);
        let (board, turn, stage, won) = (node.board.clone(), node.turn, node.stage, node.won);
        let all = attacks(&board, turn, self.horizon)?;
        let sensible = sensible_moves(&board, turn, all.iter());
        let own = all.into_iter().filter(|attack| attack.side == turn);
        let map = Map::of_attacks(&board, turn, self.horizon, own);
        let mut moves = Vec::new();
        for step in sensible.into_iter().map(|(step, _)| Some(step)).chain([None]) {
            let next = step.map_or_else(|| board.clone(), |step| after(&board, step.from, step.to));
            if self.keeps(&map, &next, step, won)? {
                let stage = stage.after(&board, step, self.rules);
                moves.push((step, self.node(next, turn.other(), stage)));
            }
        }
        for &(_, child) in &moves {
            let parents = &mut self.nodes[child as usize].parents;
            if !parents.contains(&id) {
                parents.push(id);
            }
        }
        self.nodes[id as usize].moves = Some(moves);
        self.expanded += 1;
        self.settle(id);
        Ok(())
    }

    /// Whether the half-move keeps the mover's inequality. The hope is counted only if it matters.
    fn keeps(&self, map: &Map, next: &Board, step: Option<Step>, won: Won) -> Result<bool, TooMany> {
        let side = map.turn;
        if king_can_be_taken(next, side) {
            return Ok(false);
        }
        let takes = step.map_or(0, |step| gain(&map.board, step.from, step.to));
        let own = side.fold_wb(won.balance(), -won.balance()) + takes;
        let threatened = match self.horizon {
            1 => 0,
            _ => won_at_once(next, side.other()),
        };
        if own >= threatened || (self.rules.parries_stand && king_can_be_taken(&map.board, side)) {
            return Ok(true);
        }
        let next = Map::of_one_side(next, side.other(), self.horizon, side)?;
        Ok(test(map, &next, step, won, self.rules).holds)
    }

    /// Answers what can be answered at `id`, and then at the positions before it.
    fn settle(&mut self, id: Id) {
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            let mut news = false;
            for side in Color::ALL {
                if self.answer(id, side) == Answer::Open {
                    let answer = self.deduce(id, side);
                    if answer != Answer::Open {
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

    fn deduce(&self, id: Id, side: Color) -> Answer {
        let node = self.get(id);
        let Some(moves) = &node.moves else {
            return Answer::Open;
        };
        let mut answers = moves.iter().map(|&(_, child)| self.answer(child, side));
        // The side to move needs one good move; against the other side every move must fail.
        let (one, all) = if node.turn == side { (Answer::Yes, Answer::No) } else { (Answer::No, Answer::Yes) };
        if answers.clone().any(|answer| answer == one) {
            one
        } else if answers.all(|answer| answer == all) {
            all
        } else {
            Answer::Open
        }
    }

    /// Answers no wherever `side` could not win even if every position not yet looked into were won: by repeating
    /// moves nothing is won.
    fn close(&mut self, side: Color) {
        let mut possible = vec![false; self.nodes.len()];
        let mut missing: Vec<usize> = Vec::with_capacity(self.nodes.len());
        let mut waiting = Vec::new();
        for (id, node) in self.nodes.iter().enumerate() {
            let answer = node.answers[question(side)];
            let moves = node.moves.as_ref().map_or(0, Vec::len);
            missing.push(if node.turn == side { 1 } else { moves });
            if answer == Answer::Yes || (answer == Answer::Open && node.moves.is_none()) {
                possible[id] = true;
                waiting.push(id);
            }
        }
        while let Some(id) = waiting.pop() {
            for &parent in &self.nodes[id].parents {
                let parent = parent as usize;
                if possible[parent] || self.nodes[parent].answers[question(side)] == Answer::No {
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
            if !possible && self.nodes[id].answers[question(side)] == Answer::Open {
                self.give(id, side, Answer::No);
            }
        }
    }

    /// Grows the tree under `root` until the question is answered or `budget` more positions have been looked into.
    pub(crate) fn ask(
        &mut self,
        root: Id,
        side: Color,
        budget: u64,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Answer, TooMany> {
        let end = self.expanded + budget;
        let mut next_close = self.nodes.len() * 2 + 1000;
        let mut stuck = 0;
        while self.answer(root, side) == Answer::Open && self.expanded < end {
            let path = self.descend(root, side);
            let &leaf = path.last().unwrap_or(&root);
            if self.get(leaf).moves.is_none() {
                self.expand(leaf)?;
                progress(self.expanded);
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
                    if self.answer(root, side) != Answer::Open {
                        break;
                    }
                    self.renumber(side);
                    if stuck > 1000 {
                        break;
                    }
                }
            }
        }
        if self.answer(root, side) == Answer::Open {
            self.close(side);
        }
        Ok(self.answer(root, side))
    }

    /// Walks from `root` to the position whose answer is likely to cost least.
    fn descend(&self, root: Id, side: Color) -> Vec<Id> {
        let mut path = vec![root];
        let mut on_path = std::collections::HashSet::from([root]);
        let mut id = root;
        loop {
            let node = self.get(id);
            let Some(moves) = &node.moves else {
                return path;
            };
            let chosen = moves
                .iter()
                .map(|&(_, child)| child)
                .filter(|&child| self.answer(child, side) == Answer::Open && !on_path.contains(&child))
                .min_by_key(|&child| {
                    let numbers = self.get(child).numbers[question(side)];
                    if node.turn == side { (numbers.yes, numbers.no) } else { (numbers.no, numbers.yes) }
                });
            let Some(child) = chosen else {
                return path;
            };
            on_path.insert(child);
            path.push(child);
            id = child;
        }
    }

    /// Brings the proof numbers along the path up to date, from its end. A move back into the path wins nothing.
    fn refresh(&mut self, path: &[Id], side: Color) {
        for (i, &id) in path.iter().enumerate().rev() {
            let numbers = self.numbers(id, side, &path[..i]);
            self.nodes[id as usize].numbers[question(side)] = numbers;
        }
    }

    fn numbers(&self, id: Id, side: Color, path: &[Id]) -> Numbers {
        let node = self.get(id);
        let settled = |answer| match answer {
            Answer::Yes => Some(Numbers { yes: 0, no: NEVER }),
            Answer::No => Some(Numbers { yes: NEVER, no: 0 }),
            Answer::Open => None,
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

    /// Forgets the proof numbers of a question, when repetitions have led them astray.
    fn renumber(&mut self, side: Color) {
        for node in &mut self.nodes {
            node.numbers[question(side)] = Numbers { yes: 1, no: 1 };
        }
    }
}

/// A move with the reason for looking at it (none for the quiet one), and its test.
pub(crate) type Tested = (Option<(Step, Sense)>, Test);
