//! The images of the machine programs, made at build time.

use m220_asm::{Texts, assemble, elf};
use m220_isa::Model;

/// Each is assembled from its own texts, without a warning.
#[test]
fn the_images_are_those_of_their_texts() {
    for (name, image) in m220_programs::IMAGES {
        let mut image = elf::load(image, 4).unwrap();
        image.files.iter_mut().for_each(|file| file.text = m220_programs::text(&file.name).to_owned());
        let texts: Vec<(&str, &str)> =
            image.files.iter().map(|file| (file.name.as_str(), file.text.as_str())).collect();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../m220-programs");
        for (file, text) in &texts {
            assert!(std::fs::read_to_string(format!("{folder}/{file}")).unwrap() == *text, "{file} was edited");
        }
        let assembly = assemble(&format!("{name}.m220"), &Texts(&texts), Model::M220).unwrap();
        assert!(assembly.warnings.list.is_empty(), "{}", assembly.warnings);
        assert!(assembly.image == image, "{name}");
    }
}
