//! The layers on the drum: the queen and rook positions that the machine program needs for a promoting pawn.
//!
//! The files are ordinary drum images. A file is checked by the machine's own sums before a run, so that a wrong one
//! is rejected with an error instead of stopping the machine.

use super::EndingProgram;
use crate::prelude::*;
use chess_reference::endings::Material;
use m220_machine::devices::drum::Drum;
use m220_machine::periphery::checksum;

/// The number of words in a layer on the drum, without their sum.
const LAYER: usize = 0o1000;
/// The number of words in a label, without their sum: the name, and the first class that has no layer.
const LABEL: usize = 2;
/// The two endings that have layers, the drum addresses of their first layer and of their label.
const PLACES: [(Material, usize, usize); 2] = [(Material::Kqk, 0, 0o34034), (Material::Krk, 0o13013, 0o34037)];

/// A drum for the machine program, its sums checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layers {
    drum: Drum,
    held: Vec<Material>,
}

impl Layers {
    /// A drum on which nothing was ever written.
    #[must_use]
    pub fn blank() -> Layers {
        Layers { drum: Drum::blank(Model::M220), held: Vec::new() }
    }

    /// Takes a drum that the program has written, or a blank one.
    ///
    /// # Errors
    /// It holds anything else, or a sum is wrong.
    pub fn new(program: &EndingProgram, drum: Drum) -> Result<Layers, String> {
        let is_blank = (0..drum.capacity()).all(|at| drum.read(at).is_none());
        let mut held = Vec::new();
        for (ending, first, label) in PLACES {
            if drum.read(label).is_none_or(|word| word != program.label(ending)) {
                continue;
            }
            check(&drum, ending, "the label", label, LABEL)?;
            let beyond = drum.read(label + 1).map_or(0, |word| word.address_part());
            for (number, class) in (0..beyond.min(64)).step_by(2).enumerate() {
                let address = first + number * (LAYER + 1);
                check(&drum, ending, &format!("the layer of class {class}"), address, LAYER)?;
            }
            held.push(ending);
        }
        if held.is_empty() && !is_blank {
            let [(queen, ..), (rook, ..)] = PLACES;
            return Err(format!(
                "the drum has no label of {queen} or {rook}, expected a blank drum or one that `m220 endings` has written"
            ));
        }
        Ok(Layers { drum, held })
    }

    /// Whether the drum has the layers of this ending.
    #[must_use]
    pub fn hold(&self, ending: Material) -> bool {
        self.held.contains(&ending)
    }

    /// The drum.
    #[must_use]
    pub fn drum(&self) -> &Drum {
        &self.drum
    }
}

/// Reads the words from an address on, and checks them against the sum that follows them.
fn check(drum: &Drum, ending: Material, what: &str, from: usize, words: usize) -> Result<(), String> {
    let word = |address: usize| {
        let word = drum.read(address);
        word.ok_or_else(|| format!("{what} of {ending}: the word at drum address {address:05o} was never written"))
    };
    let sum = checksum((from..from + words).map(word).collect::<Result<Vec<Word>, String>>()?);
    let expected = word(from + words)?;
    if sum != expected {
        return Err(format!(
            "{what} of {ending}, drum address {from:05o}: the sum of the words is {sum}, expected {expected}"
        ));
    }
    Ok(())
}
