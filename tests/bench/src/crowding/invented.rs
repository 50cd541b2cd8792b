//! Notes about things that do not exist, in words that everybody uses.

use fastrand::Rng;

const SYLLABLES: [&str; 16] =
    ["bre", "tar", "lin", "mos", "ka", "vel", "dor", "ni", "hul", "ost", "fen", "ra", "gim", "sel", "tu", "bor"];
const THINGS: [&str; 10] =
    ["pump", "mill", "ferry", "orchard", "archive", "greenhouse", "kiln", "quarry", "lighthouse", "brewery"];
const PARTS: [&str; 10] = [
    "valve",
    "boiler",
    "north gate",
    "cellar",
    "main shaft",
    "ledger",
    "roof",
    "water tank",
    "signal lamp",
    "storage room",
];
const DONE: [&str; 10] =
    ["cleaned", "inspected", "replaced", "painted", "drained", "locked", "measured", "repaired", "emptied", "heated"];
const WHEN: [&str; 10] = [
    "every second March",
    "before the first frost",
    "twice a week",
    "after each storm",
    "on the last Friday of the month",
    "when the harvest is over",
    "in the early morning",
    "once in ten years",
    "during the summer holidays",
    "at low tide",
];
const WHO: [&str; 8] = [
    "the keeper",
    "two volunteers",
    "the night watch",
    "a visiting engineer",
    "the owner's family",
    "the school children",
    "the harbour office",
    "an old carpenter",
];
const WHY: [&str; 8] = [
    "because rust spreads quickly in the damp air",
    "since the insurance asks for a written proof",
    "as visitors are expected on the following day",
    "because the spare parts come from abroad",
    "so that the noise does not wake the neighbours",
    "since the wooden beams carry less than they seem to",
    "because mice found their way in last winter",
    "as the old drawings were lost in a flood",
];

/// A title and the text of a note of some sentences, about a thing with a name of its own.
pub(crate) fn note(random: &mut Rng) -> (String, String) {
    let mut name: String = (0..random.usize(2..=3)).map(|_| of(&SYLLABLES, random)).collect();
    name[..1].make_ascii_uppercase();
    let thing = of(&THINGS, random);
    let mut text = format!("# The {thing} of {name}\n");
    for _ in 0..8 {
        let subject = if random.bool() { format!("{thing} of {name}") } else { format!("{name} {thing}") };
        let (part, done, when) = (of(&PARTS, random), of(&DONE, random), of(&WHEN, random));
        let (who, why) = (of(&WHO, random), of(&WHY, random));
        text.push_str(&format!("\nThe {part} of the {subject} is {done} {when} by {who}, {why}.\n"));
    }
    (format!("{thing} {name}.md"), text)
}

fn of<'a>(words: &[&'a str], random: &mut Rng) -> &'a str {
    words[random.usize(..words.len())]
}
