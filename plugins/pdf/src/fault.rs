//! Why a file gives no text, and what its owner can do about it.

use wikirag_core::{Error, ErrorKind};

/// The reasons for which a file is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It does not begin as a PDF file does.
    NotPdf,
    /// Its structure cannot be made out.
    Damaged,
    /// The library gave up in a way that it should not.
    Crashed,
    /// It opens with a password only.
    Locked,
    /// It is encrypted in a way that is not understood.
    UnknownCipher,
    /// It has no page.
    NoPages,
    /// It has so many pages, and text on none.
    NoText(usize),
    /// It has text, of which no character can be told.
    NoCharacters,
    /// A limit of this reader is passed.
    TooMuch(&'static str),
}

const OPERATION: &str = "read PDF";

impl Fault {
    /// The error that the ledger shows.
    pub(crate) fn error(self) -> Error {
        let invalid = |message: String| Error::new(ErrorKind::Invalid, OPERATION, message);
        match self {
            Self::NotPdf => invalid("the file does not begin as a PDF file does".into())
                .help("give it the ending of its real format, or fetch it anew"),
            Self::Damaged => {
                invalid("the file is damaged".into()).help("fetch it anew, or mend it, for example with qpdf")
            }
            Self::Crashed => invalid("the file is damaged in a way that the PDF library cannot cope with".into())
                .help("mend it, for example with qpdf"),
            Self::Locked => invalid("the file is encrypted and opens with a password only".into())
                .help("save it without the password, for example with qpdf --decrypt"),
            Self::UnknownCipher => invalid("the file is encrypted in a way that is not understood".into())
                .help("save it without encryption, for example with qpdf --decrypt"),
            Self::NoPages => invalid("the file has no page".into()).help("fetch it anew, or leave it out"),
            Self::NoText(pages) => {
                let pages = if pages == 1 { "its one page holds".into() } else { format!("its {pages} pages hold") };
                invalid(format!("{pages} no text, perhaps images")).help("run OCR over it, for example with ocrmypdf")
            }
            Self::NoCharacters => invalid("its fonts do not say which characters they show".into())
                .help("run OCR over it, for example with ocrmypdf --force-ocr"),
            Self::TooMuch(what) => {
                invalid(format!("the file holds more than is read: {what}")).help("split it, or leave it out")
            }
        }
    }
}
