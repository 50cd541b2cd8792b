//! `wikirag verify-answer`

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use futures_lite::future::block_on;
use wikirag::{CheckedAnswer, CheckedClaim, Error, ErrorKind, Result, Verdict};

use super::composition;
use crate::args::VerifyAnswer;
use crate::exit::ExitStatus;
use crate::output::{Versioned, clean, count, json_text};
use crate::runner::Session;

/// An answer is no larger than that.
const MOST_BYTES: u64 = 4 << 20;

pub(super) fn run(session: &Session, args: &VerifyAnswer) -> Result<ExitStatus> {
    let text = read(&args.file)?;
    let engine = session.engine()?;
    let composition = composition(&engine, &args.target)?;
    let context = session.context(&composition.name);
    let checked = block_on(engine.verify_answer(&composition, &text, &context))?;
    drop(context);
    if args.json {
        session.print(&json_text(&Versioned::first(&checked))?)?;
    } else {
        let file = if args.file == Path::new("-") { "stdin".to_owned() } else { args.file.display().to_string() };
        session.print(&checked.claims.iter().filter_map(|claim| line(&file, claim)).collect::<String>())?;
        session.tell(&summary(&checked));
    }
    Ok(if checked.is_sound() { ExitStatus::Fine } else { ExitStatus::Partial })
}

fn read(file: &Path) -> Result<String> {
    let failed = |error: io::Error| {
        let kind = if error.kind() == io::ErrorKind::NotFound { ErrorKind::NotFound } else { ErrorKind::Io };
        Error::new(kind, "read answer", error.to_string()).with("path", file.display())
    };
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes)
    } else {
        fs::File::open(file).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
    }
    .map_err(failed)?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("the text has more than {MOST_BYTES} bytes");
        return Err(Error::new(ErrorKind::Usage, "read answer", message).with("path", file.display()));
    }
    String::from_utf8(bytes).map_err(|error| {
        Error::new(ErrorKind::Invalid, "read answer", "the text is not UTF-8")
            .with("path", file.display())
            .with("byte", error.utf8_error().valid_up_to())
    })
}

/// What is wrong with a sentence, as compilers say it; nothing where all is well.
fn line(file: &str, claim: &CheckedClaim) -> Option<String> {
    let what = match claim.verdict {
        Verdict::Supported => return None,
        Verdict::Uncited => "cites nothing".to_owned(),
        Verdict::Invented => format!("cites what is not there: {}", claim.cites.join(", ")),
        Verdict::OtherNumber => format!("its sources do not hold {}", claim.missing_numbers.join(", ")),
        Verdict::Misquoted => format!("its sources do not hold \"{}\"", claim.missing_quotes.join("\", \"")),
        Verdict::Doubtful => format!("its sources hold {:.0} % of its words", claim.share * 100.0),
    };
    Some(format!("{}:{}: {}: {}\n", clean(file), claim.line, clean(&what), clean(&claim.text)))
}

fn summary(checked: &CheckedAnswer) -> String {
    let CheckedAnswer { supported, invented, uncited, doubtful, .. } = checked;
    format!(
        "{} borne out by their sources, {doubtful} doubtful, {uncited} without a citation; {} to nothing",
        count(*supported as u64, "sentence"),
        count(*invented as u64, "citation")
    )
}
