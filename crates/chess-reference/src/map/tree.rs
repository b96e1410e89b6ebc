//! The tree of sensible moves, grown until a verdict is proved.

use super::build::Map;
use super::exchange::{after, gain, king_can_be_taken, material};
use super::hope::{Test, test};
use super::sensible::{Sense, Step, won_at_once};
use crate::TooMany;
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

/// How a position came about, as far as it matters for what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// By a move of the map.
    Play,
    /// By one quiet move.
    Quiet,
    /// By two quiet moves in a row: the variation is over.
    Over,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) board: Board,
    pub(crate) turn: Color,
    pub(crate) stage: Stage,
    /// What White has won since the root, in pawns.
    pub(crate) balance: i32,
    /// The moves that keep the mover's inequality; `None` until they are looked for.
    pub(crate) moves: Option<Vec<(Option<Step>, Id)>>,
    parents: Vec<Id>,
    /// For the questions "White wins?" and "Black wins?".
    answers: [Answer; 2],
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
    root_material: i32,
    pub(crate) expanded: u64,
}

impl Tree {
    pub(crate) fn new(board: &Board, turn: Color, horizon: u32) -> Tree {
        let mut tree =
            Tree { nodes: Vec::new(), index: HashMap::new(), horizon, root_material: material(board), expanded: 0 };
        tree.node(board.clone(), turn, Stage::Play);
        tree
    }

    pub(crate) fn get(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn answer(&self, id: Id, side: Color) -> Answer {
        self.get(id).answers[question(side)]
    }

    /// The node of a position, new or known.
    pub(crate) fn node(&mut self, board: Board, turn: Color, stage: Stage) -> Id {
        let key = (board, turn, stage);
        if let Some(&id) = self.index.get(&key) {
            return id;
        }
        let id = self.nodes.len() as Id;
        let balance = material(&key.0) - self.root_material;
        let mut node = Node {
            board: key.0.clone(),
            turn,
            stage,
            balance,
            moves: None,
            parents: Vec::new(),
            answers: [Answer::Open; 2],
            numbers: [Numbers { yes: 1, no: 1 }; 2],
        };
        if stage == Stage::Over {
            node.moves = Some(Vec::new());
            for side in Color::ALL {
                let wins = side.fold_wb(balance, -balance) > 0;
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
    pub(crate) fn tested(&self, board: &Board, turn: Color, with_quiet: bool) -> Result<Vec<Tested>, TooMany> {
        let map = Map::of(board, turn, self.horizon)?;
        let balance = material(board) - self.root_material;
        let mut list = Vec::new();
        for (step, sense) in map.sensible_moves() {
            let next = Map::of(&after(board, step.from, step.to), turn.other(), self.horizon)?;
            list.push((Some((step, sense)), test(&map, &next, Some(step), balance)));
        }
        if with_quiet {
            let next = Map::of(board, turn.other(), self.horizon)?;
            list.push((None, test(&map, &next, None, balance)));
        }
        Ok(list)
    }

    /// Finds the moves of a position, and settles what follows from them.
    pub(crate) fn expand(&mut self, id: Id) -> Result<(), TooMany> {
        let node = self.get(id);
        let (board, turn, stage, balance) = (node.board.clone(), node.turn, node.stage, node.balance);
        let mut moves = Vec::new();
        let map = Map::of(&board, turn, self.horizon)?;
        for (step, _) in map.sensible_moves() {
            let next = after(&board, step.from, step.to);
            if self.keeps(&map, &next, Some(step), balance)? {
                moves.push((Some(step), self.node(next, turn.other(), Stage::Play)));
            }
        }
        if self.keeps(&map, &board, None, balance)? {
            let next = match stage {
                Stage::Play => Stage::Quiet,
                Stage::Quiet | Stage::Over => Stage::Over,
            };
            moves.push((None, self.node(board, turn.other(), next)));
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
    fn keeps(&self, map: &Map, next: &Board, step: Option<Step>, balance: i32) -> Result<bool, TooMany> {
        let side = map.turn;
        if king_can_be_taken(next, side) {
            return Ok(false);
        }
        let takes = step.map_or(0, |step| gain(&map.board, step.from, step.to));
        let own = side.fold_wb(balance, -balance) + takes;
        let threatened = match self.horizon {
            1 => 0,
            _ => won_at_once(next, side.other()),
        };
        if own >= threatened || king_can_be_taken(&map.board, side) {
            return Ok(true);
        }
        let next = Map::of(next, side.other(), self.horizon)?;
        Ok(test(map, &next, step, balance).holds)
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
                        self.nodes[id as usize].answers[question(side)] = answer;
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
            let answer = &mut self.nodes[id].answers[question(side)];
            if !possible && *answer == Answer::Open {
                *answer = Answer::No;
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

#[allow(missing_docs)]
pub fn probe(p: &crate::Position, h: u32, lim: u64, only: Option<String>) {
    let mut tree = Tree::new(&p.board, p.turn, h);
    for (m, t) in tree.tested(&p.board, p.turn, false).unwrap() {
        let Some((m, s)) = m else { continue };
        if only.as_ref().is_some_and(|o| *o != m.to_string()) {
            continue;
        }
        print!("{m} {s:?} {t:?}: ");
        if !t.holds {
            println!("rejected");
            continue;
        }
        let t0 = std::time::Instant::now();
        let start = tree.expanded;
        let id = tree.node(after(&p.board, m.from, m.to), p.turn.other(), Stage::Play);
        let mut slice = 500;
        let mut res = (Answer::Open, Answer::Open);
        while tree.expanded - start < lim {
            res.0 = tree.ask(id, p.turn, slice, &mut |_| {}).unwrap();
            if res.0 == Answer::Yes {
                break;
            }
            res.1 = tree.ask(id, p.turn.other(), slice, &mut |_| {}).unwrap();
            if res.1 == Answer::Yes || (res.0 != Answer::Open && res.1 != Answer::Open) {
                break;
            }
            slice *= 2;
        }
        println!(
            " mover {:?} other {:?} expanded {} nodes {} {:?}",
            res.0,
            res.1,
            tree.expanded - start,
            tree.nodes.len(),
            t0.elapsed()
        );
        if only.is_some() {
            let c = if res.0 == Answer::Yes { p.turn } else { p.turn.other() };
            tree.dump(id, c, 0, 12);
        }
    }
}
impl Tree {
    fn dump(&self, id: Id, side: Color, depth: usize, max: usize) {
        let n = self.get(id);
        if depth >= max {
            return;
        }
        let Some(moves) = &n.moves else {
            println!("{}?unexpanded", "  ".repeat(depth));
            return;
        };
        for (m, c) in moves {
            if n.turn == side && self.answer(id, side) == Answer::Yes && self.answer(*c, side) != Answer::Yes {
                continue;
            }
            println!(
                "{}{} {:?}{:?} bal {} nums {:?}",
                "  ".repeat(depth),
                m.map_or("quiet".into(), |m| m.to_string()),
                self.answer(*c, Color::White),
                self.answer(*c, Color::Black),
                self.get(*c).balance,
                self.get(*c).numbers[question(side)]
            );
            self.dump(*c, side, depth + 1, max);
            if n.turn == side && self.answer(id, side) == Answer::Yes {
                break;
            }
        }
    }
}
#[allow(missing_docs)]
pub fn follow(p: &crate::Position, h: u32, lim: u64, line: &str) {
    let mut tree = Tree::new(&p.board, p.turn, h);
    let moves: Vec<&str> = line.split_whitespace().collect();
    let root = tree.get(0).board.clone();
    let st = |m: &str| Step { from: m[..2].parse().unwrap(), to: m[2..4].parse().unwrap() };
    let m0 = st(moves[0]);
    let id = tree.node(after(&root, m0.from, m0.to), p.turn.other(), Stage::Play);
    let mut slice = 500;
    let mut res = Answer::Open;
    while tree.expanded < lim {
        res = tree.ask(id, p.turn, slice, &mut |_| {}).unwrap();
        if res != Answer::Open {
            break;
        }
        slice *= 2;
    }
    println!("{res:?} {}", tree.expanded);
    let (mut board, mut turn) = (root, p.turn);
    for m in moves {
        println!("--- {turn:?} to move; next {m}");
        for (s, t) in tree.tested(&board, turn, true).unwrap() {
            let name = s.map_or("quiet".into(), |s| s.0.to_string());
            let (nb, stg) = match s {
                Some((s, _)) => (after(&board, s.from, s.to), Stage::Play),
                None => (board.clone(), Stage::Quiet),
            };
            let a = tree
                .index
                .get(&(nb, turn.other(), stg))
                .map(|&i| (tree.answer(i, Color::White), tree.answer(i, Color::Black), tree.get(i).moves.is_some()));
            println!(
                "  {}{name} bal {} takes {} doomed {} hoped {} thr {} king {} holds {} {a:?}",
                if name == m { "*" } else { " " },
                t.balance,
                t.takes,
                t.doomed,
                t.hoped,
                t.threatened,
                t.king_lost,
                t.holds
            );
        }
        if m == "quiet" {
            turn = turn.other();
            continue;
        }
        let s = st(m);
        board = after(&board, s.from, s.to);
        turn = turn.other();
    }
}

/// A move with the reason for looking at it (none for the quiet one), and its test.
type Tested = (Option<(Step, Sense)>, Test);
