//! The closed word lists that tell values and negation from content, by language.
//!
//! Only words that are what they are in nearly every sentence are listed. All are in the exact form of the analyser:
//! lower case, accents kept.

use wikirag_text::Language;

/// The words of one language.
#[derive(Debug)]
pub(super) struct Lexicon {
    /// Words that say nothing about what a sentence is about.
    function: &'static [&'static str],
    /// Words that turn a statement into its opposite.
    negations: &'static [&'static str],
    /// Words at the head of a sentence, or of its subject, that point at something said elsewhere.
    pointers: &'static [&'static str],
    /// Names and short names of the months, January first.
    months: [&'static [&'static str]; 12],
    /// Words for 2 to 12. One is an article or a pronoun in too many sentences.
    numerals: [&'static str; 11],
    /// Words before a number of four digits that make it a year.
    before_years: &'static [&'static str],
    /// Whether `n't` negates and `no longer` is one negation.
    contracts: bool,
    /// Whether a comma is the decimal sign.
    pub(super) decimal_comma: bool,
}

/// Words whose number is a name: `Chapter 3`, `Schritt 2`. One list for all languages, since none of them is a word of
/// another kind elsewhere.
const LABELS: &[&str] = &[
    "abschnitt",
    "annex",
    "appendix",
    "article",
    "artikel",
    "bug",
    "capítulo",
    "case",
    "chapitre",
    "chapter",
    "day",
    "episode",
    "etappe",
    "example",
    "exercise",
    "figura",
    "figure",
    "grade",
    "issue",
    "item",
    "kapitel",
    "lesson",
    "level",
    "line",
    "listing",
    "module",
    "note",
    "number",
    "option",
    "page",
    "part",
    "partie",
    "paso",
    "phase",
    "point",
    "problem",
    "página",
    "question",
    "round",
    "rule",
    "schritt",
    "section",
    "sección",
    "seite",
    "stage",
    "step",
    "stufe",
    "tabelle",
    "tabla",
    "table",
    "task",
    "teil",
    "tier",
    "unit",
    "volume",
    "week",
    "woche",
    "étape",
];

/// Words after which a number with a dot in it is a version.
const BEFORE_VERSIONS: &[&str] = &["edition", "release", "releases", "v", "versión", "version", "versions"];

const ENGLISH: Lexicon = Lexicon {
    function: &[
        "a", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by", "can", "could",
        "did", "do", "does", "for", "from", "had", "has", "have", "how", "however", "i", "if", "in", "into", "is",
        "it", "its", "may", "me", "might", "my", "of", "on", "or", "our", "shall", "so", "such", "than", "that", "the",
        "their", "them", "then", "there", "these", "they", "this", "those", "to", "us", "was", "we", "were", "what",
        "when", "where", "which", "who", "will", "with", "would", "you", "your",
    ],
    negations: &["cannot", "neither", "never", "no", "nor", "not", "without"],
    pointers: &[
        "he", "here", "his", "it", "its", "our", "she", "such", "that", "their", "there", "these", "they", "this",
        "those", "we",
    ],
    months: [
        &["january", "jan"],
        &["february", "feb"],
        &["march", "mar"],
        &["april", "apr"],
        &["may"],
        &["june", "jun"],
        &["july", "jul"],
        &["august", "aug"],
        &["september", "sep", "sept"],
        &["october", "oct"],
        &["november", "nov"],
        &["december", "dec"],
    ],
    numerals: ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
    before_years: &["after", "before", "by", "during", "from", "in", "of", "since", "until", "year"],
    contracts: true,
    decimal_comma: false,
};

const GERMAN: Lexicon = Lexicon {
    function: &[
        "als", "am", "an", "auch", "auf", "aus", "bei", "bis", "da", "das", "dass", "dem", "den", "der", "des", "die",
        "du", "durch", "ein", "eine", "einem", "einen", "einer", "eines", "er", "es", "für", "hat", "haben", "ich",
        "ihr", "im", "in", "ist", "kann", "man", "mit", "nach", "oder", "sich", "sie", "sind", "so", "um", "und",
        "uns", "vom", "von", "war", "waren", "was", "wenn", "werden", "wie", "wir", "wird", "wurde", "wurden", "zu",
        "zum", "zur", "über",
    ],
    negations: &["kein", "keine", "keinem", "keinen", "keiner", "keines", "nicht", "nie", "niemals", "ohne", "weder"],
    pointers: &["dies", "diese", "dieser", "dieses", "er", "es", "hier", "ihr", "sein", "sie", "wir"],
    months: [
        &["januar", "jan", "jänner"],
        &["februar", "feb"],
        &["märz", "mär"],
        &["april", "apr"],
        &["mai"],
        &["juni", "jun"],
        &["juli", "jul"],
        &["august", "aug"],
        &["september", "sep", "sept"],
        &["oktober", "okt"],
        &["november", "nov"],
        &["dezember", "dez"],
    ],
    numerals: ["zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"],
    before_years: &["ab", "bis", "im", "in", "jahr", "nach", "seit", "von", "vor"],
    contracts: false,
    decimal_comma: true,
};

const FRENCH: Lexicon = Lexicon {
    // The second half of a negation (`pas`, `plus`, `jamais`) says nothing that `ne` has not said.
    function: &[
        "a", "ai", "au", "aucun", "aucune", "aussi", "aux", "avec", "avoir", "c", "ce", "ces", "cette", "d", "dans",
        "de", "des", "du", "elle", "en", "est", "et", "il", "ils", "j", "jamais", "je", "l", "la", "le", "les", "leur",
        "m", "mais", "nous", "on", "ont", "ou", "par", "pas", "plus", "pour", "qu", "que", "qui", "s", "sa", "se",
        "ses", "si", "son", "sont", "sur", "t", "tu", "un", "une", "vous", "y", "à", "été", "être", "était",
    ],
    negations: &["n", "ne", "ni", "sans"],
    pointers: &["ce", "ces", "cette", "elle", "elles", "ici", "il", "ils", "leur", "nous", "sa", "ses", "son"],
    months: [
        &["janvier", "janv"],
        &["février", "févr"],
        &["mars"],
        &["avril", "avr"],
        &["mai"],
        &["juin"],
        &["juillet", "juil"],
        &["août"],
        &["septembre", "sept"],
        &["octobre", "oct"],
        &["novembre", "nov"],
        &["décembre", "déc"],
    ],
    numerals: ["deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze"],
    before_years: &["année", "avant", "de", "depuis", "en"],
    contracts: false,
    decimal_comma: true,
};

const SPANISH: Lexicon = Lexicon {
    function: &[
        "a", "al", "como", "con", "de", "del", "el", "ella", "en", "era", "es", "esta", "estar", "está", "están",
        "fue", "fueron", "ha", "han", "hay", "la", "las", "le", "les", "lo", "los", "me", "mi", "o", "para", "pero",
        "por", "que", "se", "ser", "si", "son", "su", "sus", "también", "te", "tu", "un", "una", "y", "ya",
    ],
    negations: &["jamás", "ni", "ningún", "ninguna", "ninguno", "no", "nunca", "sin", "tampoco"],
    pointers: &["aquí", "ella", "ellas", "ellos", "esta", "estas", "este", "esto", "estos", "su", "sus", "él"],
    months: [
        &["enero", "ene"],
        &["febrero", "feb"],
        &["marzo", "mar"],
        &["abril", "abr"],
        &["mayo"],
        &["junio", "jun"],
        &["julio", "jul"],
        &["agosto", "ago"],
        &["septiembre", "setiembre", "sept"],
        &["octubre", "oct"],
        &["noviembre", "nov"],
        &["diciembre", "dic"],
    ],
    numerals: ["dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce"],
    before_years: &["año", "de", "desde", "en", "hasta"],
    contracts: false,
    decimal_comma: true,
};

/// For languages without lists: numbers and dates in digits are values, everything else is content.
const OTHER: Lexicon = Lexicon {
    function: &[],
    negations: &[],
    pointers: &[],
    months: ENGLISH.months,
    numerals: [""; 11],
    before_years: &[],
    contracts: false,
    decimal_comma: false,
};

impl Lexicon {
    /// The words of a language. What is not known is taken for English, as most notes are.
    pub(super) const fn of(language: Option<Language>) -> &'static Self {
        match language {
            None | Some(Language::English) => &ENGLISH,
            Some(Language::German) => &GERMAN,
            Some(Language::French) => &FRENCH,
            Some(Language::Spanish) => &SPANISH,
            Some(_) => &OTHER,
        }
    }

    /// Those with lists of their own.
    pub(super) fn all() -> impl Iterator<Item = &'static Self> {
        [&ENGLISH, &GERMAN, &FRENCH, &SPANISH].into_iter()
    }

    /// Negations, and values that are written in letters.
    pub(super) fn facts(&self) -> impl Iterator<Item = &'static str> {
        let months = self.months.into_iter().flatten();
        self.negations.iter().chain(months).copied().chain(self.numerals)
    }

    pub(super) fn is_function(&self, word: &str) -> bool {
        self.function.contains(&word)
    }

    pub(super) fn is_negation(&self, word: &str) -> bool {
        self.negations.contains(&word) || (self.contracts && word.ends_with("n't"))
    }

    /// The verb that carries content in a negation of one word.
    pub(super) fn contracted<'w>(&self, word: &'w str) -> Option<&'w str> {
        let verb = word.strip_suffix("n't").filter(|_| self.contracts)?;
        (!self.is_function(verb) && !matches!(verb, "ai" | "ca" | "sha" | "wo")).then_some(verb)
    }

    /// Whether `word` only says, after a negation, that something was so before: `no longer`.
    pub(super) fn ends_negation(&self, word: &str) -> bool {
        self.contracts && matches!(word, "longer" | "ever")
    }

    pub(super) fn is_pointer(&self, word: &str) -> bool {
        self.pointers.contains(&word)
    }

    /// 1 to 12.
    pub(super) fn month(&self, word: &str) -> Option<u8> {
        let found = self.months.iter().position(|names| names.contains(&word))?;
        u8::try_from(found + 1).ok()
    }

    /// 2 to 12.
    pub(super) fn numeral(&self, word: &str) -> Option<u8> {
        let found = self.numerals.iter().position(|name| *name == word)?;
        u8::try_from(found + 2).ok()
    }

    pub(super) fn is_before_year(&self, word: &str) -> bool {
        self.before_years.contains(&word)
    }
}

/// Whether `word` says nothing about what a text in `language` is about.
pub(crate) fn is_function(word: &str, language: Option<Language>) -> bool {
    Lexicon::of(language).is_function(word)
}

/// Whether a number after `word` is a name and no value.
pub(super) fn is_label(word: &str) -> bool {
    LABELS.contains(&word) || word.strip_suffix('s').is_some_and(|one| LABELS.contains(&one))
}

/// Whether a number after `word` counts versions.
pub(super) fn is_before_version(word: &str) -> bool {
    BEFORE_VERSIONS.contains(&word)
}
