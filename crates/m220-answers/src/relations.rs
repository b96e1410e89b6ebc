//! What every piece attacks, defends and controls.

use crate::attacks::{colours, sentences};
use crate::best::no_move;
use crate::position::{GamePlace, HowRead, PositionSource};
use crate::prelude::*;
use chess_reference::relations::{
    Change, Cuts, DynamicValue, Exceptions, LevelChoice, NoteLevel, NotedMove, Points, Relation, RelationCounts,
    RelationKind, Tables, Unfinished, change, choose, counts, generated_moves, noted_moves, read_rau, relations,
    signature, tree_sizes, write_rau,
};
use m220_chess::RelationsProgram;
use m220_chess::relations::{MachineRelations, RelationsQuestion, compare_relations};

/// Count what every piece attacks, defends and controls
///
/// After the lessons of P. Rău (1985-86). The relations: `at`, a piece attacks an enemy piece; `ap`, it protects a
/// piece of its own side; `co`, it controls a free square. E is the sum of their values for the side to move minus the
/// sum for the other; a note is the change that a move makes in E. Both are from the view of the side to move.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 relations --position fig22
  m220 relations --position startpos --move e2-e4")
)]
pub struct Relations {
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: PositionSource,
    /// The position before this move of the PGN file (other commands call this --move): 16, or 16... for Black's
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", requires = "pgn", conflicts_with_all = ["fen", "position"]))]
    before: Option<Text<GamePlace>>,
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    how: HowRead,
    /// Show the dynamic value of the piece on this square
    #[cfg_attr(feature = "clap", arg(long, alias = "man", value_name = "SQUARE"))]
    piece: Option<Text<Square>>,
    /// Show what this move changes: in Rău's notation (e2-e4, e7:d8D, e8-g8R, g4:f3P) or in UCI notation
    #[serde(rename = "move")]
    #[cfg_attr(feature = "clap", arg(long = "move", value_name = "MOVE", conflicts_with_all = ["notes", "level"]))]
    written: Option<String>,
    /// Show all legal moves by note
    #[cfg_attr(feature = "clap", arg(long))]
    notes: bool,
    /// With --notes: choose a move, keeping the N best notes at every node, M half-moves deep
    #[cfg_attr(feature = "clap", arg(long, value_name = "N,M", requires = "notes"))]
    level: Option<Text<NoteLevel>>,
    /// What the search of --level leaves out: alpha-beta, razoring, better, with commas between, or none
    #[cfg_attr(feature = "clap", arg(long, value_name = "CUTS", requires = "level"))]
    cuts: Option<Text<Cuts>>,
    /// Show the legal moves in the order of the document's generator, and the remaining castling rights
    #[cfg_attr(feature = "clap", arg(long))]
    order: bool,
    /// Count the moves of the tree, this many half-moves deep
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    tree: Option<Within<1, 100>>,
    /// The values: unit, staunton, lessons, or a file with lines `at R B 1.5`, `ap K P 0.2`, `co N 0.5`,
    /// `weights 0.5 0.3 0.2`, `man Q 9`, `centre 1 10` [default: unit]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TABLES"))]
    tables: Option<PathBuf>,
    /// Count the relations by kind and pieces only
    #[cfg_attr(feature = "clap", arg(long))]
    signature: bool,
}

/// The most moves that a level's search makes: about ten seconds.
pub(crate) const MOST_MOVES: u64 = 1_000_000;

impl Field for Cuts {
    fn read(text: &str) -> Result<Cuts, Message> {
        let mut cuts = Cuts::default();
        let wrong = || told!("field-choice", text = format!("{text}: {}, none", Cuts::NAMES.join(", ")));
        for name in text.split(',').map(str::trim).filter(|_| text.trim() != "none") {
            *cuts.by_name(name).ok_or_else(wrong)? = true;
        }
        Ok(cuts)
    }

    fn write(&self) -> String {
        let mut cuts = *self;
        let names: Vec<&str> =
            Cuts::NAMES.into_iter().filter(|name| cuts.by_name(name).is_some_and(|on| *on)).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(",") }
    }
}

impl Field for NoteLevel {
    fn read(text: &str) -> Result<NoteLevel, Message> {
        let read = || {
            let (width, depth) = text.split_once(',')?;
            Some(NoteLevel { width: width.trim().parse().ok()?, depth: depth.trim().parse().ok()? })
        };
        let level = read().filter(|level| level.width > 0 && Within::<1, 100>::new(level.depth.into()).is_ok());
        level.ok_or_else(|| told!("field-level"))
    }

    fn write(&self) -> String {
        format!("{},{}", self.width, self.depth)
    }
}

/// A position, the values of relations, and what else is asked.
pub struct Asked {
    position: Position,
    tables: Tables,
    piece: Option<(Square, Piece)>,
    signature: bool,
    change: Option<MoveRecord>,
    notes: Option<Vec<NotedMove>>,
    level: Option<NoteLevel>,
    choice: Option<LevelChoice>,
    generated: Option<(Vec<Move>, Exceptions)>,
    tree: Option<Vec<u64>>,
    /// The options whose work a signal or the time limit has ended.
    cut_short: Vec<&'static str>,
}

impl Question for Relations {
    const NAME: &'static str = "relations";
    const FORM: Option<Form> =
        Some(Form { fields: &[], example: "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 16" });
    type Program = RelationsProgram;
    type Subject = Asked;
    type Answer = MachineRelations;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Asked, Refused> {
        let position = self.position.read(self.before.map(|place| place.0), self.how, context)?;
        let position = position.ok_or_else(|| Refused::usage(told!("position-missing")))?;
        let tables = tables(self.tables.as_deref(), Tables::unit(), context)?;
        let piece = match self.piece {
            Some(Text(square)) => {
                let there = position.placement.board.piece_at(square);
                Some((square, there.ok_or_else(|| Refused::bad_input(told!("relations-no-piece", square)))?))
            }
            None => None,
        };
        let mut asked = Asked {
            tables,
            piece,
            signature: self.signature,
            change: None,
            notes: None,
            level: self.level.map(|level| level.0),
            choice: None,
            generated: None,
            tree: None,
            cut_short: Vec::new(),
            position,
        };
        if self.written.is_none() && !self.notes && !self.order && self.tree.is_none() {
            return Ok(asked);
        }
        let legal = asked.position.legal_for(|error| told!("relations-need-legal", error))?;
        if let Some(text) = &self.written {
            asked.change = Some(move_record(&legal, text, &asked.tables)?);
        }
        asked.notes = self.notes.then(|| noted_moves(&legal, &asked.tables));
        let limits = context.limits.with_positions(MOST_MOVES);
        if self.order {
            asked.generated = Some((generated_moves(&legal), Exceptions::of(&legal)));
        }
        if let Some(depth) = self.tree {
            let sizes = tree_sizes(&legal, depth.small(), &limits);
            asked.tree = asked.unless_ended("--tree", sizes)?;
        }
        if let Some(level) = asked.level {
            let cuts = self.cuts.map(|cuts| cuts.0).unwrap_or_default();
            let choice = choose(&legal, &asked.tables, level, cuts, &limits);
            asked.choice = asked.unless_ended("--level", choice)?;
        }
        Ok(asked)
    }

    fn native(asked: &Asked, _: &Context<'_>) -> Result<MachineRelations, Refused> {
        let list = relations(&asked.position.placement.board);
        let Position { placement, .. } = &asked.position;
        let evaluation = asked.tables.evaluate(&placement.board, placement.turn, placement.fullmoves.get());
        Ok(MachineRelations { evaluation, relations: list })
    }

    fn machine(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Ran<MachineRelations>, Refused> {
        if !asked.tables.is_of_relations_only() {
            let why = told!("relations-machine-tables");
            return Err(if machine.demanded { Refused::usage(why) } else { Refused::declined(why) });
        }
        machine.ask(&asked.question())
    }

    fn differences(native: &MachineRelations, machine: &MachineRelations) -> Vec<Difference> {
        compare_relations(native, machine)
    }

    fn prepare(&Put { asked, machine, .. }: &Put<'_, Self>) -> Result<Prepared, Refused> {
        let run = machine.put(&asked.question())?;
        Ok(Prepared::new(told!("relations-short"), Notes::default(), &machine.program, run))
    }

    fn document<'a>(asked: &'a Asked, found: Option<&'a MachineRelations>) -> impl Serialize + 'a {
        let list: &[Relation] = found.map_or(&[], |found| &found.relations);
        let by_side = counts(list);
        let (generated, castling) = asked.generated.as_ref().map(|(moves, castling)| (moves, castling)).unzip();
        json!({
            "fen": asked.position.placement.to_fen(),
            // Relations of each side by kind.
            "counts": BySide { white: by_side.white, black: by_side.black },
            // E for the side to move; null without an answer.
            "evaluation": found.map(|found| found.evaluation),
            // All, sorted by `from`, then `to`.
            "relations": list,
            // By kind and pieces only, with `signature`; else null.
            "signature": asked.signature.then(|| classes(list).collect::<Vec<_>>()),
            // The piece of `piece`; else null.
            "piece": asked.piece.map(|(square, piece)| PieceRecord {
                square: square.to_string(),
                name: piece_name(piece),
                value: DynamicValue::of(square, list).worth(&asked.tables),
                parts: DynamicValue::of(square, list),
            }),
            // What the move of `move` changes; else null.
            "move": asked.change,
            // All legal moves, best first, with `notes`; else null.
            "notes": asked.notes,
            // The move that `level` chose; else null.
            "choice": asked.choice,
            // The legal moves in the order of the generator, and what castling is left, with `order`; else null.
            "generated": generated,
            "castling": castling,
            // The tree of all moves with `tree`: the moves at each half-move, those at the last one, and all of them.
            "tree": asked.tree.as_ref().map(|half_moves| json!({
                "half_moves": half_moves,
                "variations": half_moves.last().copied().unwrap_or(1),
                "moves": half_moves.iter().sum::<u64>(),
            })),
        })
    }

    fn say(asked: &Asked, found: &MachineRelations, words: &Words) -> Said {
        let list = &found.relations;
        let by_side = counts(list);
        let facts = [Color::White, Color::Black].map(|side| {
            let RelationCounts { at, ap, co } = by_side[side];
            let counts = words.say(&told!("relations-counts", at, ap, co));
            Fact::new(words, &told!("side", side), counts)
        });
        let mut said = Said::new(words, &headline(asked, found));
        said.parts.push(Part::facts(facts));
        if let Some(MoveRecord { rau, san, lost, gained, note, .. }) = &asked.change {
            let title = told!("relations-move", rau, san = in_letters(san), note = format!("{note:+}"));
            let changed = [("relations-lost", lost), ("relations-gained", gained)];
            said = said.with_part(Part::line(words, &title));
            for (key, list) in changed {
                said = listed(said, words.say(&Message::told(key, &["count"], &[&list.len()])), list, words);
            }
        }
        if let Some((square, piece)) = asked.piece {
            let value = DynamicValue::of(square, list);
            said = said.with_part(Part::line(
                words,
                &told!("relations-piece", piece, square, worth = value.worth(&asked.tables).to_string()),
            ));
            for (key, part) in [
                ("relations-attacks", &value.attacks),
                ("relations-attacked-by", &value.attacked_by),
                ("relations-defends", &value.defends),
                ("relations-defended-by", &value.defended_by),
                ("relations-controls", &value.controls),
            ] {
                said = listed(said, words.say(&Message::told(key, &["count"], &[&part.len()])), part, words);
            }
        }
        if asked.signature {
            let rows = signature(list).into_iter().map(|((kind, piece, target), count)| Row {
                cells: vec![kind.name().to_owned(), coded(piece), coded(target), words.number(count as u64)],
                ways: Vec::new(),
            });
            let rows: Vec<Row> = rows.collect();
            let columns = vec![
                Column::words(words, &told!("relations-kind"), Some("relation")),
                Column::words(words, &told!("relations-man"), None),
                Column::words(words, &told!("relations-target"), None),
                Column::figures(words, &told!("relations-number"), None),
            ];
            let title = words.say(&told!("relations-signature", count = rows.len()));
            said.parts.push(Part::table(title, columns, rows));
        }
        if let Some(notes) = &asked.notes {
            let items = notes.chunks(6).map(|line| {
                let line: String =
                    line.iter().map(|noted| format!("{:<12}", format!("{} {:+}", noted.written, noted.note))).collect();
                Item { text: line.trim_end().to_owned(), ..Item::default() }
            });
            said = said.with_list(words.say(&told!("relations-notes", count = notes.len())), items);
            if let Some(over) = no_move(&asked.position.placement).filter(|_| notes.is_empty()) {
                said = said.with_remark(words, &over);
            }
        }
        if let Some((moves, castling)) = &asked.generated {
            let items = moves.chunks(10).map(|line| {
                let texts: Vec<String> = line.iter().map(ToString::to_string).collect();
                Item { text: texts.join(" "), ..Item::default() }
            });
            said = said.with_list(words.say(&told!("relations-order", count = moves.len())), items);
            let Exceptions { white_short, black_short, white_long, black_long } = castling;
            let line = format!("R1+ {white_short}, R1- {black_short}, R2+ {white_long}, R2- {black_long}");
            said = said.with_part(Part::Text { lines: vec![line] });
        }
        if let Some(sizes) = &asked.tree {
            let list = sizes.iter().map(|&size| words.number(size)).collect::<Vec<_>>().join("; ");
            let line = told!("relations-tree", list, moves = sizes.iter().sum::<u64>());
            said = said.with_part(Part::line(words, &line));
        }
        if let (Some(choice), Some(level)) = (&asked.choice, asked.level) {
            let written = choice.written.map_or("none".to_owned(), |written| written.to_string());
            let (width, depth) = (level.width.to_string(), level.depth.to_string());
            let (value, made) = (choice.value.to_string(), choice.moves_made);
            let line = told!("relations-level", width, depth, written, value, made);
            said = said.with_part(Part::line(words, &line));
        }
        if asked.change.is_none()
            && asked.piece.is_none()
            && asked.notes.is_none()
            && !asked.signature
            && asked.generated.is_none()
            && asked.tree.is_none()
        {
            said = listed(said, words.say(&told!("relations-short")), list, words);
        }
        asked.cut_short.iter().fold(said, |said, option| said.with_remark(words, &told!("relations-cut-short", option)))
    }

    fn show(asked: &Asked, found: &MachineRelations, words: &Words) -> Shown {
        let drawn: Vec<&Relation> = found.relations.iter().filter(|relation| is_drawn(asked, relation)).collect();
        let of = |kind: RelationKind| drawn.iter().filter(|relation| relation.kind == kind).count();
        let (attacks, defences, controls) = (of(RelationKind::At), of(RelationKind::Ap), of(RelationKind::Co));
        let choice = match asked.piece {
            Some((square, _)) => told!("relations-those-of", square),
            None => told!("relations-drawn", attacks, defences),
        };
        let heading = told!("relations-heading", headline = headline(asked, found), choice);
        let mut shown = Shown::new(&asked.position.placement.board, words.say(&heading));
        let legend = [
            (true, colours("relations", |side| drawn.iter().any(|relation| relation.side == side))),
            (attacks > 0, Some(told!("legend-attack"))),
            (defences > 0 && controls == 0, Some(told!("legend-defence"))),
            (defences > 0 && controls > 0, Some(told!("legend-defence-or-control"))),
            (defences == 0 && controls > 0, Some(told!("legend-control"))),
            (asked.piece.is_none(), Some(told!("legend-no-controls"))),
        ];
        shown.legend.push(sentences(legend, words));
        if let Some(MoveRecord { uci, rau, san, .. }) = &asked.change {
            shown.legend.push(words.say(&told!("legend-move", rau, san = in_letters(san))));
            shown.mark(uci.from, "", Shade::Start);
            shown.mark(uci.to, "", Shade::Target);
        }
        for relation in drawn {
            shown.arrow(relation.side, [relation.from, relation.to], relation.kind == RelationKind::At);
        }
        shown.count(Shade::None, |square, side| {
            found.relations.iter().filter(|relation| relation.to == square && relation.side == side).count()
        });
        shown.below = words.say(&told!("relations-numbers"));
        shown
    }
}

impl Asked {
    /// What an option asks for; none if the work was ended.
    fn unless_ended<T>(&mut self, option: &'static str, found: Result<T, Unfinished>) -> Result<Option<T>, Refused> {
        match found {
            Err(Unfinished::Ended(_)) => {
                self.cut_short.push(option);
                Ok(None)
            }
            found => found.map(Some).map_err(Refused::unanswered),
        }
    }

    fn turn(&self) -> Color {
        self.position.placement.turn
    }

    fn question(&self) -> RelationsQuestion<'_> {
        RelationsQuestion { board: &self.position.placement.board, side: self.turn(), tables: &self.tables }
    }
}

/// A piece and its dynamic value.
#[derive(Serialize)]
struct PieceRecord {
    /// Where it stands.
    square: String,
    /// `white rook`.
    name: String,
    /// What the parts count by the tables: what is attacked and defended, the defences, the controls, less the attacks
    /// on the piece.
    value: Points,
    /// The five parts.
    #[serde(flatten)]
    parts: DynamicValue,
}

/// A move and what it changes.
#[derive(Serialize)]
struct MoveRecord {
    /// In UCI notation.
    uci: Move,
    /// In standard algebraic notation.
    san: String,
    /// In Rău's.
    rau: String,
    /// Relations that vanish.
    lost: Vec<Relation>,
    /// Relations that appear.
    gained: Vec<Relation>,
    /// The note of the move for its side.
    note: Points,
}

/// The values of a name or a file.
///
/// # Errors
/// The file cannot be read, or has a line that is none.
pub(crate) fn tables(path: Option<&Path>, usual: Tables, context: &Context<'_>) -> Result<Tables, Refused> {
    let Some(path) = path else { return Ok(usual) };
    let built_in = Tables::BUILT_IN.into_iter().find(|(name, _)| path.to_str() == Some(name));
    if let Some((_, tables)) = built_in {
        return Ok(tables);
    }
    let file = context.text(path)?;
    Tables::read(&file.text).map_err(|error| file.refused(error.span.clone(), error.message))
}

fn move_record(position: &Chess, text: &str, tables: &Tables) -> Result<MoveRecord, Refused> {
    let text = text.trim();
    let by_uci = text.parse::<Move>().ok();
    let known = by_uci.and_then(|written| Some((written, write_rau(position, written)?)));
    let illegal = || Refused::at("--move", text, 0..text.len(), told!("not-legal", text));
    let (uci, rau) = match (known, by_uci) {
        (Some(known), _) => known,
        (None, Some(_)) => return Err(illegal()),
        (None, None) => {
            let written = read_rau(position, text)
                .map_err(|error| Refused::at("--move", text, error.span.clone(), error.message))?;
            (written, write_rau(position, written).unwrap_or_default())
        }
    };
    let played = of_uci(position, uci).ok_or_else(illegal)?;
    let san = san(position, played);
    let after = after(position, played);
    let worth = |board: &shakmaty::Board| tables.evaluate(board, position.turn(), position.fullmoves().get());
    let note = worth(after.board()) - worth(position.board());
    let Change { lost, gained } = change(position.board(), after.board());
    Ok(MoveRecord { uci, san, rau, lost, gained, note })
}

/// Relations that differ only in their squares: attack, defence or control, the piece's code (1 king to 6 pawn, negative
/// for Black), its target's, 0 for a free square, and how many there are.
fn classes(list: &[Relation]) -> impl Iterator<Item = Value> {
    let class =
        |((kind, piece, target), count)| json!({ "kind": kind, "piece": piece, "target": target, "count": count });
    signature(list).into_iter().map(class)
}

/// The relations of a picture: those of the piece asked about, otherwise attacks and defences.
fn is_drawn(asked: &Asked, relation: &Relation) -> bool {
    match asked.piece {
        Some((square, _)) => relation.from == square || (relation.to == square && relation.target.is_some()),
        None => relation.kind != RelationKind::Co,
    }
}

fn headline(asked: &Asked, found: &MachineRelations) -> Message {
    let evaluation = found.evaluation.to_string();
    told!("relations-found", count = found.relations.len(), evaluation, side = asked.turn())
}

/// `K`, `p` for Black, `-` for a free square.
fn coded(code: i8) -> String {
    let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let name = code.unsigned_abs().checked_sub(1).and_then(|index| roles.get(usize::from(index)));
    match name {
        Some(role) if code < 0 => role.char().to_string(),
        Some(role) => role.upper_char().to_string(),
        None => "-".to_owned(),
    }
}

/// Relations, five to a line.
fn listed(said: Said, title: String, list: &[Relation], words: &Words) -> Said {
    let items = list.chunks(5).map(|line| {
        let text: String = line.iter().map(|relation| format!("{:<14}", words.moves(&relation.to_string()))).collect();
        let ways: Vec<[Square; 2]> = line.iter().map(|relation| [relation.from, relation.to]).collect();
        Item::new(text.trim_end(), ways.iter().map(|way| &way[..]))
    });
    let items: Vec<Item> = items.collect();
    said.with_part(Part::List { title, items })
}
