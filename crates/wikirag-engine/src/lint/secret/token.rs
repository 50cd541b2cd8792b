//! Tokens by the prefixes that their services document, so that programs like this one can find them.

use super::Leak;
use super::chance::is_drawn;
use crate::lint::finding::Severity;

/// Of what a token is made behind its prefix.
#[derive(Debug, Clone, Copy)]
enum Made {
    /// `0-9 a-f`
    Hex,
    /// `A-Z 2-7`
    Base32,
    /// `0-9 A-Z a-z`
    Base62,
    /// Letters, digits, `-`, `_`.
    Url,
    /// The same and `.`, `=`, `/`, `+`.
    Any,
}

impl Made {
    const fn of(self, byte: u8) -> bool {
        match self {
            Self::Hex => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            Self::Base32 => matches!(byte, b'A'..=b'Z' | b'2'..=b'7'),
            Self::Base62 => byte.is_ascii_alphanumeric(),
            Self::Url => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
            Self::Any => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'=' | b'/' | b'+'),
        }
    }
}

/// What a token is, its prefix, what follows, and how many of that at least and at most.
type Form = (&'static str, &'static str, Made, usize, usize);

/// Longer prefixes before shorter ones that they begin with.
const FORMS: &[Form] = &[
    ("an AWS access key id", "AKIA", Made::Base32, 16, 16),
    ("an AWS access key id", "ASIA", Made::Base32, 16, 16),
    ("a GitHub token", "ghp_", Made::Base62, 36, 36),
    ("a GitHub token", "gho_", Made::Base62, 36, 36),
    ("a GitHub token", "ghu_", Made::Base62, 36, 36),
    ("a GitHub token", "ghs_", Made::Any, 36, 1024),
    ("a GitHub token", "ghr_", Made::Base62, 36, 76),
    ("a GitHub token", "github_pat_", Made::Url, 82, 82),
    ("a GitLab token", "glpat-", Made::Any, 20, 300),
    ("a GitLab token", "gldt-", Made::Url, 20, 300),
    ("a GitLab token", "glrt-", Made::Any, 20, 300),
    ("a GitLab token", "glptt-", Made::Url, 40, 300),
    ("a GitLab token", "glsoat-", Made::Url, 20, 300),
    ("a GitLab token", "glcbt-", Made::Url, 20, 300),
    ("a Slack token", "xoxb-", Made::Url, 24, 200),
    ("a Slack token", "xoxp-", Made::Url, 24, 200),
    ("a Slack token", "xoxa-", Made::Url, 24, 200),
    ("a Slack token", "xoxe-", Made::Url, 24, 300),
    ("a Slack token", "xoxs-", Made::Url, 24, 200),
    ("a Slack token", "xapp-", Made::Url, 24, 200),
    ("a Slack webhook", "https://hooks.slack.com/services/T", Made::Any, 30, 100),
    ("a Discord webhook", "https://discord.com/api/webhooks/", Made::Any, 60, 120),
    ("a Stripe key", "sk_live_", Made::Base62, 16, 247),
    ("a Stripe key", "rk_live_", Made::Base62, 16, 247),
    ("a Stripe signing secret", "whsec_", Made::Any, 24, 100),
    ("a Google API key", "AIza", Made::Url, 35, 35),
    ("a Google client secret", "GOCSPX-", Made::Url, 28, 28),
    ("a Google access token", "ya29.", Made::Url, 40, 2048),
    ("an Anthropic key", "sk-ant-", Made::Url, 40, 200),
    ("an OpenRouter key", "sk-or-v1-", Made::Hex, 64, 64),
    ("an OpenAI key", "sk-proj-", Made::Url, 40, 300),
    ("an OpenAI key", "sk-svcacct-", Made::Url, 40, 300),
    ("an OpenAI key", "sk-admin-", Made::Url, 40, 300),
    ("an API key", "sk-", Made::Base62, 32, 128),
    ("a Hugging Face token", "hf_", Made::Base62, 34, 40),
    ("a Replicate token", "r8_", Made::Base62, 37, 37),
    ("a Groq key", "gsk_", Made::Base62, 40, 80),
    ("an xAI key", "xai-", Made::Base62, 60, 100),
    ("a Perplexity key", "pplx-", Made::Base62, 40, 60),
    ("an npm token", "npm_", Made::Base62, 36, 36),
    ("a PyPI token", "pypi-AgE", Made::Url, 50, 400),
    ("a crates.io token", "cio", Made::Base62, 32, 32),
    ("a RubyGems key", "rubygems_", Made::Hex, 48, 48),
    ("a Docker token", "dckr_pat_", Made::Url, 27, 40),
    ("a SendGrid key", "SG.", Made::Any, 60, 70),
    ("a Mailgun key", "key-", Made::Hex, 32, 32),
    ("a Twilio key", "SK", Made::Hex, 32, 32),
    ("a DigitalOcean token", "dop_v1_", Made::Hex, 64, 64),
    ("a DigitalOcean token", "doo_v1_", Made::Hex, 64, 64),
    ("a DigitalOcean token", "dor_v1_", Made::Hex, 64, 64),
    ("a Shopify token", "shpat_", Made::Hex, 32, 32),
    ("a Shopify token", "shpss_", Made::Hex, 32, 32),
    ("a Shopify token", "shpca_", Made::Hex, 32, 32),
    ("a Shopify token", "shppa_", Made::Hex, 32, 32),
    ("a Square token", "sq0atp-", Made::Url, 22, 60),
    ("a Square secret", "sq0csp-", Made::Url, 43, 60),
    ("a Linear key", "lin_api_", Made::Base62, 40, 40),
    ("a Notion token", "ntn_", Made::Base62, 40, 50),
    ("a Notion token", "secret_", Made::Base62, 43, 43),
    ("a Databricks token", "dapi", Made::Hex, 32, 34),
    ("a Vault token", "hvs.", Made::Url, 24, 300),
    ("a Vault token", "hvb.", Made::Url, 24, 300),
    ("a Grafana token", "glsa_", Made::Url, 40, 60),
    ("a Grafana token", "glc_", Made::Any, 40, 400),
    ("a Sentry token", "sntrys_", Made::Any, 60, 400),
    ("an Atlassian token", "ATATT3", Made::Any, 60, 400),
    ("a Postman key", "PMAK-", Made::Url, 59, 59),
    ("a New Relic key", "NRAK-", Made::Base62, 27, 27),
    ("a Figma token", "figd_", Made::Url, 40, 60),
    ("a PlanetScale token", "pscale_tkn_", Made::Any, 32, 64),
    ("a Doppler token", "dp.pt.", Made::Base62, 40, 44),
    ("a Supabase token", "sbp_", Made::Hex, 40, 40),
    ("a Tailscale key", "tskey-", Made::Url, 24, 100),
    ("an age key", "AGE-SECRET-KEY-1", Made::Base62, 58, 58),
    ("a JSON web token", "eyJ", Made::Any, 60, 8192),
];

/// Signatures of the examples on jwt.io, which half of the documentation of the world repeats.
const EXAMPLE_SIGNATURES: [&str; 2] =
    ["SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c", "TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ"];

/// The forms, by the first byte of their prefixes.
pub(super) struct Prefixes([Vec<usize>; 128]);

impl Prefixes {
    pub(super) fn new() -> Self {
        let mut by_byte: [Vec<usize>; 128] = std::array::from_fn(|_| Vec::new());
        for (form, (_, prefix, ..)) in FORMS.iter().enumerate() {
            if let Some(forms) = prefix.bytes().next().and_then(|byte| by_byte.get_mut(usize::from(byte))) {
                forms.push(form);
            }
        }
        Self(by_byte)
    }

    /// Hands over the tokens of a text. One pass.
    pub(super) fn find(&self, text: &str, sink: &mut impl FnMut(Leak)) {
        let bytes = text.as_bytes();
        // How far the text was looked at for each form: a prefix that stands again in what was no token makes none of its rest.
        let mut seen = vec![0; FORMS.len()];
        let mut at = 0;
        while at < bytes.len() {
            let begins = at == 0 || !bytes[at - 1].is_ascii_alphanumeric() && bytes[at - 1] != b'_';
            let forms = if begins { self.0.get(usize::from(bytes[at])) } else { None };
            let found = forms.into_iter().flatten().find_map(|form| {
                let end = if seen[*form] <= at { end_of(&FORMS[*form], bytes, at)? } else { return None };
                seen[*form] = end;
                read(&FORMS[*form], text, at, end)
            });
            at = match found {
                Some(leak) => {
                    let end = leak.span.end;
                    sink(leak);
                    end
                }
                None => at + 1,
            };
        }
    }
}

/// Where what may be a token of this form at `at` ends, if one begins there; no further than such a token may reach.
fn end_of(&(_, prefix, made, _, most): &Form, bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes[at..].strip_prefix(prefix.as_bytes())?;
    Some(at + prefix.len() + rest.iter().take(most + 2).take_while(|byte| made.of(**byte)).count())
}

/// The token of this form from `at` to `end`, if it is one.
fn read(&(what, prefix, _, least, most): &Form, text: &str, at: usize, end: usize) -> Option<Leak> {
    // A sentence may end behind a token.
    let body = text.get(at + prefix.len()..end)?.trim_end_matches(['.', '/', '-', '_', '+']);
    if !(least..=most).contains(&body.len()) || !is_drawn(body) {
        return None;
    }
    let is_web_token = prefix == "eyJ";
    if is_web_token {
        let parts: Vec<&str> = body.split('.').collect();
        let is_token = parts.len() == 3 && parts[1].starts_with("eyJ") && parts[2].len() >= 20;
        if !is_token || EXAMPLE_SIGNATURES.iter().any(|signature| parts[2].starts_with(signature)) {
            return None;
        }
    }
    let severity = if is_web_token { Severity::Warning } else { Severity::Error };
    Some(Leak { what, span: at..at + prefix.len() + body.len(), severity })
}
