//! Languages: their codes, their stemmers, and which one a text is in.

use std::sync::LazyLock;

use frostem::Algorithm;
use whatlang::{Detector, Lang};

macro_rules! languages {
    ($($name:ident $code:literal [$($other:literal)*] $stemmer:expr, $detected:expr;)*) => {
        /// A language that texts can be in. Some have a Snowball stemmer; the words of the others are left as they are.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Language {
            $(#[doc = concat!("`", $code, "`")] $name,)*
        }

        impl Language {
            /// Every language, in the order of their names.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The ISO 639-3 code: `eng`.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// The language of an ISO 639-1 or 639-3 code, in any case. A region or script after it is not looked at
            /// (`pt-BR`).
            #[must_use]
            pub fn from_code(code: &str) -> Option<Self> {
                let code = code.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
                match code.as_str() {
                    $($code $(| $other)* => Some(Self::$name),)*
                    _ => None,
                }
            }

            pub(crate) const fn algorithm(self) -> Option<Algorithm> {
                match self { $(Self::$name => $stemmer,)* }
            }

            const fn detected(self) -> Option<Lang> {
                match self { $(Self::$name => $detected,)* }
            }
        }
    };
}

languages! {
    Afrikaans "afr" ["af"] None, Some(Lang::Afr);
    Amharic "amh" ["am"] None, Some(Lang::Amh);
    Arabic "ara" ["ar"] Some(Algorithm::Arabic), Some(Lang::Ara);
    Armenian "hye" ["hy"] Some(Algorithm::Armenian), Some(Lang::Hye);
    Azerbaijani "aze" ["az"] None, Some(Lang::Aze);
    Basque "eus" ["eu"] Some(Algorithm::Basque), None;
    Belarusian "bel" ["be"] None, Some(Lang::Bel);
    Bengali "ben" ["bn"] None, Some(Lang::Ben);
    Bulgarian "bul" ["bg"] None, Some(Lang::Bul);
    Burmese "mya" ["my"] None, Some(Lang::Mya);
    Catalan "cat" ["ca"] Some(Algorithm::Catalan), Some(Lang::Cat);
    Chinese "zho" ["zh" "cmn"] None, Some(Lang::Cmn);
    Croatian "hrv" ["hr"] None, Some(Lang::Hrv);
    Czech "ces" ["cs"] Some(Algorithm::Czech), Some(Lang::Ces);
    Danish "dan" ["da"] Some(Algorithm::Danish), Some(Lang::Dan);
    Dutch "nld" ["nl"] Some(Algorithm::Dutch), Some(Lang::Nld);
    English "eng" ["en"] Some(Algorithm::English), Some(Lang::Eng);
    Esperanto "epo" ["eo"] Some(Algorithm::Esperanto), Some(Lang::Epo);
    Estonian "est" ["et"] Some(Algorithm::Estonian), Some(Lang::Est);
    Finnish "fin" ["fi"] Some(Algorithm::Finnish), Some(Lang::Fin);
    French "fra" ["fr"] Some(Algorithm::French), Some(Lang::Fra);
    Georgian "kat" ["ka"] None, Some(Lang::Kat);
    German "deu" ["de"] Some(Algorithm::German), Some(Lang::Deu);
    Greek "ell" ["el"] Some(Algorithm::Greek), Some(Lang::Ell);
    Gujarati "guj" ["gu"] None, Some(Lang::Guj);
    Hebrew "heb" ["he"] None, Some(Lang::Heb);
    Hindi "hin" ["hi"] Some(Algorithm::Hindi), Some(Lang::Hin);
    Hungarian "hun" ["hu"] Some(Algorithm::Hungarian), Some(Lang::Hun);
    Indonesian "ind" ["id"] Some(Algorithm::Indonesian), Some(Lang::Ind);
    Irish "gle" ["ga"] Some(Algorithm::Irish), None;
    Italian "ita" ["it"] Some(Algorithm::Italian), Some(Lang::Ita);
    Japanese "jpn" ["ja"] None, Some(Lang::Jpn);
    Kannada "kan" ["kn"] None, Some(Lang::Kan);
    Khmer "khm" ["km"] None, Some(Lang::Khm);
    Korean "kor" ["ko"] None, Some(Lang::Kor);
    Lao "lao" ["lo"] None, None;
    Latin "lat" ["la"] None, Some(Lang::Lat);
    Latvian "lav" ["lv"] None, Some(Lang::Lav);
    Lithuanian "lit" ["lt"] Some(Algorithm::Lithuanian), Some(Lang::Lit);
    Macedonian "mkd" ["mk"] None, Some(Lang::Mkd);
    Malayalam "mal" ["ml"] None, Some(Lang::Mal);
    Marathi "mar" ["mr"] None, Some(Lang::Mar);
    Nepali "nep" ["ne"] Some(Algorithm::Nepali), Some(Lang::Nep);
    Norwegian "nor" ["no" "nob" "nb" "nno" "nn"] Some(Algorithm::Norwegian), Some(Lang::Nob);
    Odia "ori" ["or"] None, Some(Lang::Ori);
    Persian "fas" ["fa" "pes"] Some(Algorithm::Persian), Some(Lang::Pes);
    Polish "pol" ["pl"] Some(Algorithm::Polish), Some(Lang::Pol);
    Portuguese "por" ["pt"] Some(Algorithm::Portuguese), Some(Lang::Por);
    Punjabi "pan" ["pa"] None, Some(Lang::Pan);
    Romanian "ron" ["ro"] Some(Algorithm::Romanian), Some(Lang::Ron);
    Russian "rus" ["ru"] Some(Algorithm::Russian), Some(Lang::Rus);
    Serbian "srp" ["sr"] Some(Algorithm::Serbian), Some(Lang::Srp);
    Sinhala "sin" ["si"] None, Some(Lang::Sin);
    Slovak "slk" ["sk"] None, Some(Lang::Slk);
    Slovene "slv" ["sl"] None, Some(Lang::Slv);
    Sotho "sot" ["st"] Some(Algorithm::Sesotho), None;
    Spanish "spa" ["es"] Some(Algorithm::Spanish), Some(Lang::Spa);
    Swedish "swe" ["sv"] Some(Algorithm::Swedish), Some(Lang::Swe);
    Tagalog "tgl" ["tl" "fil"] None, Some(Lang::Tgl);
    Tamil "tam" ["ta"] Some(Algorithm::Tamil), Some(Lang::Tam);
    Telugu "tel" ["te"] None, Some(Lang::Tel);
    Thai "tha" ["th"] None, Some(Lang::Tha);
    Turkish "tur" ["tr"] Some(Algorithm::Turkish), Some(Lang::Tur);
    Ukrainian "ukr" ["uk"] Some(Algorithm::Ukrainian), Some(Lang::Ukr);
    Urdu "urd" ["ur"] None, Some(Lang::Urd);
    Uzbek "uzb" ["uz"] None, Some(Lang::Uzb);
    Vietnamese "vie" ["vi"] None, Some(Lang::Vie);
    Welsh "cym" ["cy"] None, Some(Lang::Cym);
    Yiddish "yid" ["yi"] Some(Algorithm::Yiddish), Some(Lang::Yid);
}

impl Language {
    /// Whether an apostrophe stands between two words (`l'homme`, `dell'arte`) rather than inside one (`don't`).
    pub(crate) const fn elides(self) -> bool {
        matches!(self, Self::French | Self::Italian | Self::Catalan)
    }

    /// Whether its script tells it from nearly all other languages, so that no text is taken for it by mistake.
    #[must_use]
    pub const fn is_told_by_script(self) -> bool {
        matches!(
            self,
            Self::Amharic
                | Self::Arabic
                | Self::Armenian
                | Self::Bengali
                | Self::Burmese
                | Self::Chinese
                | Self::Georgian
                | Self::Greek
                | Self::Gujarati
                | Self::Hebrew
                | Self::Hindi
                | Self::Japanese
                | Self::Kannada
                | Self::Khmer
                | Self::Korean
                | Self::Lao
                | Self::Malayalam
                | Self::Odia
                | Self::Persian
                | Self::Punjabi
                | Self::Russian
                | Self::Sinhala
                | Self::Tamil
                | Self::Telugu
                | Self::Thai
                | Self::Ukrainian
                | Self::Vietnamese
        )
    }

    /// Whether there is a space after each syllable, so that what stands between spaces is a part of a word more often than
    /// a word.
    #[must_use]
    pub const fn parts_syllables(self) -> bool {
        matches!(self, Self::Vietnamese)
    }

    /// Whether marks make another word of a word as a rule (`ma`, `má`, `mã`), rather than being left out by many who
    /// write it.
    pub(crate) const fn keeps_marks(self) -> bool {
        matches!(self, Self::Vietnamese)
    }
}

/// Letters looked at, at the start and in the middle each: enough for trigrams to settle, few enough to cost nothing
/// beside the rest of a build.
const SAMPLE_LETTERS: usize = 200;
/// Fewer letters than this say too little.
const MIN_LETTERS: usize = 24;
/// From this many letters on, trigrams are trusted at a lower confidence.
const LONG: usize = 100;
/// Confidence (0 to 1, as whatlang counts it) asked of a short sample, and of a long one. On single questions in
/// English, German, Russian and Vietnamese of 24 to 100 letters, 98 of 100 languages named at .4 are right; on longer
/// ones all are.
const SHORT_CONFIDENCE: f64 = 0.4;
const LONG_CONFIDENCE: f64 = 0.1;

/// The language of a text, or `None` where it is short, mixed, or otherwise not sure.
///
/// It looks at a sample of the start and one of the middle, so the time needed does not depend on the length of the
/// text. Method: letter trigrams and alphabets as in the crate `whatlang`, restricted to the languages of [`Language`].
#[must_use]
pub fn detect_language(text: &str) -> Option<Language> {
    let mut sample = String::with_capacity(4 * SAMPLE_LETTERS);
    let mut letters = take_words(text, &mut sample);
    if letters >= SAMPLE_LETTERS {
        let mut middle = text.len() / 2;
        while !text.is_char_boundary(middle) {
            middle += 1;
        }
        sample.push(' ');
        letters += take_words(&text[middle..], &mut sample);
    }
    // A letter of a script without spaces says as much as a word of another.
    let wide = sample.chars().filter(|c| matches!(*c as u32, 0xe00..=0xeff | 0x1000..=0x17ff | 0x3040..)).count();
    if letters + 8 * wide < MIN_LETTERS {
        return None;
    }
    if reads_like_english(&sample) {
        return Some(Language::English);
    }
    let found = DETECTOR.detect(&sample)?;
    let asked = if letters < LONG { SHORT_CONFIDENCE } else { LONG_CONFIDENCE };
    if found.confidence() < asked {
        return None;
    }
    Language::ALL.iter().copied().find(|language| language.detected() == Some(found.lang()))
}

/// Appends letters and spaces from the start of `text` and returns how many letters there were. Digits, markup and
/// addresses would only blur the trigrams.
fn take_words(text: &str, sample: &mut String) -> usize {
    let mut letters = 0;
    // The limit in characters keeps a text without letters from being read to its end.
    for c in text.chars().take(4 * SAMPLE_LETTERS) {
        if c.is_alphabetic() || c == '\'' || unicode_normalization::char::is_combining_mark(c) {
            letters += usize::from(c.is_alphabetic());
            sample.push(c);
        } else if !sample.ends_with(' ') {
            sample.push(' ');
        }
        if letters >= SAMPLE_LETTERS {
            break;
        }
    }
    letters
}

/// Words that hardly an English page lacks, be it a form or a list of links, and of which no other language has more
/// than one or two (`of` is Dutch, `are` Romanian, `to` Polish). Trigrams cost forty times as much, and most documents
/// are English.
const ENGLISH_WORDS: [&str; 13] =
    ["and", "any", "are", "from", "of", "other", "that", "the", "this", "to", "with", "you", "your"];

/// Whether one word in ten is one of [`ENGLISH_WORDS`] and two of them occur, or one in twenty and three, in a sample
/// that is long enough for that to mean something.
fn reads_like_english(sample: &str) -> bool {
    let (mut words, mut english) = (0, 0);
    let mut seen = [false; ENGLISH_WORDS.len()];
    for word in sample.split_ascii_whitespace() {
        words += 1;
        if let Some(which) = ENGLISH_WORDS.iter().position(|known| known.eq_ignore_ascii_case(word)) {
            english += 1;
            seen[which] = true;
        }
    }
    let different = seen.iter().filter(|seen| **seen).count();
    words >= 30 && ((different >= 2 && english * 10 >= words) || (different >= 3 && english * 20 >= words))
}

/// Knows the languages of [`Language`] and no others.
static DETECTOR: LazyLock<Detector> = LazyLock::new(|| {
    let known = |lang: &Lang| Language::ALL.iter().any(|language| language.detected() == Some(*lang));
    Detector::with_denylist(Lang::all().iter().filter(|lang| !known(lang)).copied().collect())
});

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_lead_back() {
        let mut codes = HashSet::new();
        for language in Language::ALL {
            assert!(codes.insert(language.code()));
            assert_eq!(Language::from_code(language.code()), Some(*language));
        }
        assert_eq!(Language::from_code("pt-BR"), Some(Language::Portuguese));
        assert_eq!(Language::from_code("EN"), Some(Language::English));
        assert_eq!(Language::from_code("cmn"), Some(Language::Chinese));
        assert_eq!(Language::from_code("xx"), None);
        assert_eq!(Language::from_code(""), None);
    }

    #[test]
    fn prose_is_recognised() {
        for (expected, text) in [
            (
                Language::English,
                "The kettle was already singing when she came down to the kitchen and opened the window.",
            ),
            (Language::German, "Der Kessel sang schon, als sie in die Küche hinunterkam und das Fenster öffnete."),
            (Language::French, "La bouilloire chantait déjà quand elle descendit à la cuisine et ouvrit la fenêtre."),
            (Language::Spanish, "La tetera ya silbaba cuando ella bajó a la cocina y abrió la ventana de par en par."),
            (
                Language::Russian,
                "Чайник уже кипел, когда она спустилась на кухню и открыла окно, чтобы впустить свежий воздух.",
            ),
            (Language::Chinese, "她走下楼来到厨房打开窗户的时候，水壶已经在响了。"),
            (Language::Japanese, "彼女が台所に降りて窓を開けたとき、やかんはもう鳴っていました。"),
            (Language::Korean, "그녀가 부엌으로 내려와 창문을 열었을 때 주전자는 이미 끓고 있었다."),
            (Language::Thai, "กาต้มน้ำร้องอยู่แล้วเมื่อเธอลงมาที่ห้องครัวและเปิดหน้าต่าง"),
            (Language::Greek, "Ο βραστήρας σφύριζε ήδη όταν κατέβηκε στην κουζίνα και άνοιξε το παράθυρο."),
        ] {
            assert_eq!(detect_language(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn words_that_other_languages_share_do_not_make_a_text_english() {
        for (expected, text) in [
            (
                Language::Dutch,
                "Je kunt lopen of fietsen, met de bus of met de trein gaan, vandaag of morgen komen, alleen of samen \
                 met vrienden, en thuis of in de stad eten, want het maakt ons echt niet uit wat je kiest.",
            ),
            (
                Language::Polish,
                "Jeśli to prawda, to musimy wracać, bo to jest daleko, a to miasto śpi już od dawna. To nie jest łatwe, \
                 ale to właśnie dlatego warto spróbować, zanim to wszystko zniknie za zakrętem drogi.",
            ),
            (
                Language::Romanian,
                "Casa are două camere mari, fiecare are o fereastră spre grădină, iar grădina are pomi bătrâni. Satul \
                 are o școală și are un drum nou, dar nimeni nu are timp să meargă pe el până la oraș.",
            ),
        ] {
            assert_eq!(detect_language(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn nothing_is_said_where_nothing_is_sure() {
        for text in ["", "ok", "README", "12 34 56 78", "😀😀😀😀😀😀", "x = f(y)", &"=".repeat(5000)] {
            assert_eq!(detect_language(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_sample_is_enough() {
        let sentence = "The committee will meet again on Thursday to discuss what the engineers have found. ";
        assert_eq!(detect_language(&sentence.repeat(20_000)), Some(Language::English));
        // The middle is cut at a byte that may lie inside a character.
        for length in 300..310 {
            let _ = detect_language(&"é".repeat(length));
        }
    }
}
