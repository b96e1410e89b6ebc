//! Plans: refined into moves, carried out against every reply, prevented, combined.

use crate::prelude::*;
use chess_reference::TextError;
use chess_reference::plans::{
    Aim, Carried, Combined, Device, MissingMoves, Plan as Steps, PlanCondition, PlanNode, Refined, Refinement,
    Rejection, Served, carry_out, combine, prevent, refine, serve,
};

/// Refine a plan into moves and carry it out
///
/// A small language rebuilt from a textbook's sentences about J. Pitrat's program; it is not that program. V(g4) asks
/// for an empty square, A(g4) and E(g4) for a friendly or an enemy piece there, x(d7) for a capture, m(g5g8) for
/// exactly this move; * keeps the initiative, ? only verifies, & joins conditions, ; begins the next step. The side to
/// move plans.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(group = clap::ArgGroup::new("task").required(true)))]
#[cfg_attr(feature = "clap", command(override_usage = "m220 plan [OPTIONS] <--plan|--refine|--prevent|--combine>"))]
#[cfg_attr(
    feature = "clap",
    command(after_help = "\
Examples:
  m220 plan --fen '5K2/k7/4P1p1/8/8/8/4b3/8 w - - 0 1' --combine --aims 'catch(g6) & attack(b5)'
  m220 plan --position opera --plan 'V(d7); A(d8)' --goal 200")
)]
pub struct Plan {
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    position: GivenPosition,
    /// Carry a plan out against every reply, such as "V(g4)*; x(d7)"
    #[cfg_attr(feature = "clap", arg(long, value_name = "PLAN", group = "task"))]
    plan: Option<String>,
    /// The material to gain: queen 9, rook 5, bishop and knight 3, pawn 1; mate is 200
    #[serde(default = "usual_goal")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 4))]
    goal: i32,
    /// How many moves of the planning side the plan may take
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    depth: Within<1, 20, 4>,
    /// Show the moves of one condition, by rule, such as "V(g4)*"
    #[cfg_attr(feature = "clap", arg(long, value_name = "CONDITION", group = "task"))]
    refine: Option<String>,
    /// Show the devices against a capture, such as e8e2: the piece on e8 takes the piece on e2
    #[cfg_attr(feature = "clap", arg(long, value_name = "SQUARES", group = "task"))]
    prevent: Option<String>,
    /// Show how many moves each of a king's two plans lacks, and the moves that serve both (kings and one pawn each)
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, group = "task"))]
    combine: bool,
    /// With --combine: the aims of the king, such as "catch(g6) & attack(b5)"; also reach(s) and guard(s)
    #[cfg_attr(feature = "clap", arg(long, value_name = "AIMS", requires = "combine"))]
    aims: Option<String>,
}

const fn usual_goal() -> i32 {
    4
}

/// A position, and what is asked of its plans.
pub struct Asked {
    position: Position,
    legal: Chess,
    task: Task,
}

enum Task {
    Carry { plan: Steps, goal: i32, depth: u32 },
    Refine(PlanCondition),
    Prevent(String, Square, Square),
    Combine(Option<Vec<Aim>>),
}

/// What was found of it.
pub enum Found {
    /// A plan carried out.
    Carried(Carried),
    /// A condition refined.
    Refined(Refined),
    /// Devices against a capture.
    Devices(Vec<Device>),
    /// Two plans of a king.
    Combined(Combined),
    /// Aims of a king.
    Served(Served),
}

impl Question for Plan {
    const NAME: &'static str = "plan";
    type Program = NoProgram;
    type Subject = Asked;
    type Answer = Found;

    fn subject(&self, _: Engine, context: &Context<'_>) -> Result<Asked, Refused> {
        let position = self.position.needed(context)?;
        let legal = position.legal_for(|error| told!("plan-need-legal", error))?;
        let task = match (&self.plan, &self.refine, &self.prevent, self.combine) {
            (Some(text), None, None, false) => {
                let plan = Steps::read(text).map_err(pointed("--plan", text))?;
                Task::Carry { plan, goal: self.goal, depth: self.depth.small() }
            }
            (None, Some(text), None, false) => {
                Task::Refine(PlanCondition::read(text).map_err(pointed("--refine", text))?)
            }
            (None, None, Some(text), false) => squares(text.trim())?,
            (None, None, None, true) => {
                let read = |text| Aim::read_all(text, &legal).map_err(pointed("--aims", text));
                Task::Combine(self.aims.as_deref().map(read).transpose()?)
            }
            _ => return Err(Refused::usage(told!("plan-one-task"))),
        };
        Ok(Asked { position, legal, task })
    }

    fn native(asked: &Asked, context: &Context<'_>) -> Result<Found, Refused> {
        Ok(match &asked.task {
            Task::Carry { plan, goal, depth } => {
                Found::Carried(carry_out(&asked.legal, plan, *goal, *depth, &context.limits))
            }
            Task::Refine(condition) => Found::Refined(refine(&asked.legal, *condition)),
            Task::Prevent(text, taker, victim) => Found::Devices(
                prevent(&asked.legal, *taker, *victim)
                    .map_err(|message| Refused::at("--prevent", text, 0..text.len(), message))?,
            ),
            Task::Combine(Some(aims)) => Found::Served(serve(&asked.legal, aims)),
            Task::Combine(None) => {
                Found::Combined(combine(&asked.legal).map_err(|error| asked.position.refused_by(error))?)
            }
        })
    }

    fn is_settled(found: &Found) -> bool {
        let open = |reason: &Rejection| matches!(reason, Rejection::GivenUp | Rejection::Depth);
        !matches!(found, Found::Carried(carried) if carried.rejected.iter().any(open))
    }

    fn document<'a>(asked: &'a Asked, found: Option<&'a Found>) -> impl Serialize + 'a {
        let (plan, goal) = match &asked.task {
            Task::Carry { plan, goal, .. } => (Some(plan.to_string()), Some(goal)),
            _ => (None, None),
        };
        let carried = found.and_then(|found| if let Found::Carried(carried) = found { Some(carried) } else { None });
        let refined = found.and_then(|found| if let Found::Refined(refined) = found { Some(refined) } else { None });
        let both = found.and_then(|found| if let Found::Combined(both) = found { Some(both) } else { None });
        let served = found.and_then(|found| if let Found::Served(served) = found { Some(served) } else { None });
        let holds = carried.map(|carried| carried.tree.is_some());
        // What was not asked is null or empty.
        json!({
            "fen": asked.position.placement.to_fen(),
            // The plan as it was read.
            "plan": plan,
            // The gain wanted.
            "goal": goal,
            // Whether the plan reaches it against every reply, or the condition holds without a move.
            "holds": holds.or(refined.map(|refined| matches!(refined, Refined::Holds))),
            // Why not: every reason met.
            "rejected": carried.map_or(&[][..], |carried| &carried.rejected),
            // The moves by which it holds.
            "tree": carried.and_then(|carried| carried.tree.as_ref()),
            // The condition refined.
            "condition": if let Task::Refine(condition) = &asked.task { Some(condition.to_string()) } else { None },
            // Its moves, by rule.
            "rules": if let Some(Refined::Moves(rules)) = refined { &rules[..] } else { &[] },
            // The capture to be prevented.
            "capture": if let Task::Prevent(text, ..) = &asked.task { Some(text) } else { None },
            // The devices against it.
            "devices": if let Some(Found::Devices(devices)) = found { &devices[..] } else { &[] },
            // King moves missing to catch the enemy pawn.
            "p1": both.map(|both| both.p1),
            // King moves missing to guard the way of the own pawn.
            "p2": both.map(|both| both.p2),
            // The king moves that lower both.
            "serve_both": both.map_or(&[][..], |both| &both.serve_both),
            // The aims, and the king moves missing to each.
            "aims": served.map_or(&[][..], |served| &served.aims),
            // The king moves that lower all of them.
            "serve": served.map_or(&[][..], |served| &served.serve),
        })
    }

    fn say(asked: &Asked, found: &Found, words: &Words) -> Said {
        let (side, legal) = (asked.legal.turn(), &asked.legal);
        let fact = |name: &str, value: &Message| Fact::new(words, &Message::from(name), words.say(value));
        match (found, &asked.task) {
            (Found::Carried(Carried { tree, rejected }), Task::Carry { plan, goal, depth }) => {
                let verdict = match tree {
                    Some(_) => "holds",
                    None if Plan::is_settled(found) => "rejected",
                    None => "open",
                };
                let (plan, goal) = (plan.to_string(), goal.to_string());
                let headline = told!("plan-carried", side, plan, goal, verdict);
                let facts =
                    rejected.iter().map(|reason| fact(reason.name(), &told!("plan-rejection", reason = reason.name())));
                let mut said = Said::new(words, &headline);
                if !rejected.is_empty() {
                    said = said.with_part(Part::facts(facts));
                }
                if let Some(tree) = tree {
                    let mut items = Vec::new();
                    add_node(tree, legal, 1, words, &mut items);
                    said = said.with_list("", items);
                }
                if rejected.contains(&Rejection::Depth) && !rejected.contains(&Rejection::GivenUp) {
                    said = said.with_remark(words, &told!("plan-depth", count = *depth));
                }
                said
            }
            (Found::Refined(refined), Task::Refine(condition)) => {
                let state = match refined {
                    Refined::Holds => "holds",
                    Refined::Fails => "fails",
                    Refined::Moves(_) => "moves",
                };
                let headline = told!("plan-refined", condition = condition.to_string(), side, state);
                let rules = if let Refined::Moves(rules) = refined { &rules[..] } else { &[] };
                let items =
                    rules.iter().map(|Refinement { rule, moves }| item(&rule_name(rule, words), moves, legal, words));
                Said::new(words, &headline).with_list("", items)
            }
            (Found::Devices(devices), Task::Prevent(text, ..)) => {
                let items = devices.iter().map(|Device { condition, rule, moves }| {
                    item(&format!("{condition:<6} {}", rule_name(rule, words)), moves, legal, words)
                });
                Said::new(words, &told!("plan-devices", side, capture = text)).with_list("", items)
            }
            (Found::Combined(Combined { p1, p2, serve_both }), _) => {
                let facts = [("plan-p1", *p1), ("plan-p2", *p2)].map(|(key, missing)| {
                    fact(&words.say(&Message::key(key)), &told!("plan-missing", count = missing))
                });
                let headline = told!("plan-both", moves = listed(legal, serve_both, words));
                Said::new(words, &headline).with_part(Part::facts(facts))
            }
            (Found::Served(Served { aims, serve }), _) => {
                let facts = aims.iter().map(|MissingMoves { aim, missing }| {
                    fact(&aim.to_string(), &told!("plan-missing", count = *missing))
                });
                let headline = told!("plan-served", moves = listed(legal, serve, words));
                Said::new(words, &headline).with_part(Part::facts(facts))
            }
            // An answer is of its own task.
            _ => Said::default(),
        }
    }

    fn show(asked: &Asked, found: &Found, words: &Words) -> Shown {
        let mut shown = Shown::new(&asked.position.placement.board, Self::say(asked, found, words).headline);
        let moves: Vec<Move> = match found {
            Found::Carried(Carried { tree: Some(PlanNode::Move { written, .. }), .. }) => vec![*written],
            Found::Refined(Refined::Moves(rules)) => rules.iter().flat_map(|rule| rule.moves.clone()).collect(),
            Found::Carried(_) | Found::Refined(_) => Vec::new(),
            Found::Devices(devices) => devices.iter().flat_map(|device| device.moves.clone()).collect(),
            Found::Combined(combined) => combined.serve_both.clone(),
            Found::Served(served) => served.serve.clone(),
        };
        if let Task::Prevent(_, taker, victim) = &asked.task {
            shown.arrow(asked.legal.turn().other(), [*taker, *victim], false);
            shown.mark(*victim, "", Shade::Target);
        }
        for written in moves {
            shown.arrow(asked.legal.turn(), [written.from, written.to], true);
        }
        shown
    }
}

fn pointed(option: &'static str, text: &str) -> impl Fn(TextError) -> Refused + use<> {
    let text = text.to_owned();
    move |error| Refused::at(option, &text, error.span.clone(), error.message)
}

fn squares(text: &str) -> Result<Task, Refused> {
    let square = |at: usize| text.get(at..at + 2).and_then(|square| square.parse::<Square>().ok());
    match square(0).zip(square(2)).filter(|_| text.len() == 4) {
        Some((taker, victim)) => Ok(Task::Prevent(text.to_owned(), taker, victim)),
        None => {
            let at = if square(0).is_none() { 0 } else { 2.min(text.len()) };
            Err(Refused::at("--prevent", text, at..text.len(), told!("plan-two-squares")))
        }
    }
}

fn add_node(node: &PlanNode, position: &Chess, depth: usize, words: &Words, items: &mut Vec<Item>) {
    let way = |written: &Move| vec![[written.from, written.to].map(crate::said::number_of).to_vec()];
    match node {
        PlanNode::Goal { gain } => {
            let text = words.say(&told!("plan-gain", gain = gain.to_string()));
            items.push(Item { text, depth, ways: Vec::new() });
        }
        PlanNode::Move { rule, written, replies } => {
            let (name, position) = played(position, *written, words);
            let key = if replies.is_empty() { "plan-mates" } else { "plan-plays" };
            let text = words.say(&Message::told(key, &["name", "rule"], &[&name, &rule_name(rule, words)]));
            items.push(Item { text, depth, ways: way(written) });
            for reply in replies {
                let (name, position) = played(&position, reply.reply, words);
                let gained = match &reply.then {
                    PlanNode::Goal { gain } => format!(" {}", words.say(&told!("plan-gain", gain = gain.to_string()))),
                    PlanNode::Move { .. } => String::new(),
                };
                items.push(Item { text: format!("{name}{gained}"), depth: depth + 1, ways: way(&reply.reply) });
                if let PlanNode::Move { .. } = &reply.then {
                    add_node(&reply.then, &position, depth + 2, words, items);
                }
            }
        }
    }
}

/// A move with its number, and the position after it.
fn played(position: &Chess, half_move: Move, words: &Words) -> (String, Chess) {
    match of_uci(position, half_move) {
        Some(legal) => (words.moves(&numbered(position, &[legal])), after(position, legal)),
        None => (half_move.to_string(), position.clone()),
    }
}

fn rule_name(rule: &str, words: &Words) -> String {
    // By its first word: "go there", "detour attack".
    words.say(&told!("plan-rule", rule = rule.split(' ').next().unwrap_or(rule)))
}

fn item(name: &str, moves: &[Move], position: &Chess, words: &Words) -> Item {
    let ways: Vec<[Square; 2]> = moves.iter().map(|written| [written.from, written.to]).collect();
    Item::new(format!("{name:<16} {}", listed(position, moves, words)), ways.iter().map(|way| &way[..]))
}

fn listed(position: &Chess, moves: &[Move], words: &Words) -> String {
    match moves {
        [] => words.say(&told!("none")),
        moves => words.moves(&moves.iter().map(|each| san_of(position, *each)).collect::<Vec<_>>().join(" ")),
    }
}
