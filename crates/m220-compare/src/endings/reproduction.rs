//! The endings of `m220 reproduce`.

use crate::prelude::*;
use chess_reference::endings::{Classes, Material};
use m220_chess::endings::layers::Layers;
use m220_chess::endings::{EndingProgram, MachineTable};

/// The endings, beginning with those whose layers the pawn needs, and the budget of each in seconds of M-220 time, as
/// promised in the program's text.
const TASKS: [(Material, f64); 3] = [(Material::Kqk, 70.0), (Material::Krk, 78.0), (Material::Kpk, 68.0)];

impl Reproducible for EndingProgram {
    const SOURCE: &'static str = "N. A. Krinitsky's preface to Botvinnik's book classifies the positions of a game by the number of moves to its \
        end. Every position of three endings is classified so.";

    /// Computes the tables of three endings; the items counted are the classified positions.
    fn reproduce(&self, conditions: &Conditions) -> Result<Section, ReproductionError> {
        let settings = &conditions.settings;
        let watch = &mut |_: Material, _: u64, _: u64| {};
        let mut layers = Layers::blank();
        let mut tasks = Vec::new();
        for (ending, budget_s) in TASKS {
            let native = Classes::of(ending);
            let before = layers.clone();
            let compared = self.compare_table(&native, Some(&mut layers), settings, watch)?;
            let totals = native.totals();
            let classified = |table: &MachineTable| table.classes.iter().sum();
            let host = HostTime::best_of(
                conditions.runs,
                1,
                &settings.limits,
                || Classes::of(ending),
                || self.table(ending, Some(&mut before.clone()), settings, &mut |_, _, _| {}),
            );
            let example = totals.longest_white.as_ref().map(|longest| longest.example.to_fen()).unwrap_or_default();
            let moves = totals.longest_white.as_ref().map_or(0, |longest| longest.class.div_ceil(2));
            let name = format!("ending-{}", ending.name().to_lowercase());
            let title = format!("{ending}, mate in {moves} at most");
            let question = json!({ "what": "ending", "ending": ending.name() });
            let names = [name.as_str(), &title, &example];
            let task = TaskRecord::of(names, question, &compared, |native| Some(classified(native)), classified, host);
            tasks.push(TaskRecord { budget_us: Some(budget_s * 1e6), ..task });
        }
        let note = Note {
            text: "the procedure is Krinitsky's, from the preface of Botvinnik's book; the preface names no ending and \
                   reports no run, so nothing here reproduces one. KPK needs the layers that KQK and KRK leave on the drum"
                .to_owned(),
            items: Vec::new(),
        };
        Ok(Section::of_tasks("endings, every position", "positions in a class", &tasks, vec![note], ""))
    }
}
