//! A wiki of made-up notes that changes as people change theirs.

use fastrand::Rng;
use serde_json::Value;
use wikirag_tests::{Run, World, notes};

/// What is asked of the vault.
const QUESTIONS: [&str; 3] = ["lighthouse keeper", "the barley of the mill", "Origin"];

/// The wiki `vault` of a world: what was written last into each of its notes, and what stood there before.
pub(crate) struct Vault<'a> {
    pub(crate) world: &'a World,
    rng: Rng,
    notes: Vec<String>,
    texts: std::collections::HashMap<String, Vec<String>>,
    made: usize,
}

impl<'a> Vault<'a> {
    /// Writes `count` notes.
    pub(crate) fn new(world: &'a World, seed: u64, count: usize) -> Self {
        let rng = Rng::with_seed(seed);
        let mut vault = Self { world, rng, notes: Vec::new(), texts: std::collections::HashMap::new(), made: 0 };
        world.write("vault/.wiki.yaml", "name: vault\nlanguage: en\n");
        (0..count).for_each(|_| vault.add());
        vault
    }

    fn add(&mut self) {
        let path = format!("{:02}/{:04}.md", self.made % 7, self.made);
        self.made += 1;
        self.notes.push(path.clone());
        self.write(path);
    }

    fn write(&mut self, path: String) {
        let mut text = notes::note(&format!("Note {}", self.rng.u16(..)), &mut self.rng);
        let line = match self.rng.u8(..3) {
            0 => "The lighthouse keeper lives alone.\n",
            1 => "The barley goes to the mill.\n",
            _ => "Nothing else is known.\n",
        };
        text.push_str(line);
        self.world.write(&format!("vault/{path}"), &text);
        self.texts.entry(path).or_default().push(text);
    }

    /// Changes a third of the notes, removes, adds and moves a few.
    pub(crate) fn edit(&mut self) {
        for index in 0..self.notes.len() {
            if self.rng.u8(..3) == 0 {
                self.write(self.notes[index].clone());
            }
        }
        for _ in 0..3 {
            let path = self.notes.swap_remove(self.rng.usize(..self.notes.len()));
            self.world.remove(&format!("vault/{path}"));
            self.add();
            let index = self.rng.usize(..self.notes.len());
            let (from, to) = (self.notes[index].clone(), format!("moved/{}.md", self.made));
            self.made += 1;
            self.world.rename(&format!("vault/{from}"), &format!("vault/{to}"));
            let texts = self.texts[&from].clone();
            self.texts.insert(to.clone(), texts);
            self.notes[index] = to;
        }
    }

    /// A moment within `whole`, which is how long a build takes.
    pub(crate) fn moment(&mut self, whole: std::time::Duration) -> std::time::Duration {
        whole.mul_f64(self.rng.f64())
    }

    /// Asks the index as it is: nothing is built or refreshed.
    pub(crate) fn ask(&self, flags: &[&str]) -> Vec<Run> {
        let ask = |question: &&str| {
            let args = ["query", "vault", question, "--json", "-k", "50", "--no-build", "--no-refresh"];
            self.world.run(&flags.iter().chain(&args).copied().collect::<Vec<_>>())
        };
        QUESTIONS.iter().map(ask).collect()
    }

    /// Whether a passage stands, or once stood, in its note.
    pub(crate) fn ever_held(&self, result: &Value) -> bool {
        let (path, text) = (result["path"].as_str().unwrap(), result["text"].as_str().unwrap());
        self.texts.get(path).is_some_and(|texts| texts.iter().any(|whole| whole.contains(text)))
    }
}

/// What an answer says of the wiki, without how long it took.
pub(crate) fn said(runs: &[Run]) -> Vec<(Vec<Value>, Value)> {
    runs.iter().map(|run| (run.results(), run.json()["total"].clone())).collect()
}
