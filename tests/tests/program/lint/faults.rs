//! Faults to be put into a clean wiki, one at a time.

/// What is put into a file.
pub(super) enum Put {
    /// Text at its end.
    End(&'static str),
    /// The whole file.
    All(&'static str),
    /// Another file, with words that are replaced.
    Copy(&'static str, &'static [(&'static str, &'static str)]),
    /// A page of one piece, so many times.
    Repeat(&'static str, usize),
}

/// A fault: the check that finds it, the files that make it, and the line where it is found, by its file and words on it.
pub(super) struct Fault {
    pub(super) check: &'static str,
    pub(super) puts: &'static [(&'static str, Put)],
    pub(super) at: (&'static str, &'static str),
}

/// A fault at the end of a note.
const fn end(check: &'static str, puts: &'static [(&'static str, Put)], mark: &'static str) -> Fault {
    Fault { check, puts, at: ("notes/n07.md", mark) }
}

macro_rules! ends {
    ($check:literal, $text:expr, $mark:expr) => {
        end($check, &[("notes/n07.md", Put::End($text))], $mark)
    };
}

macro_rules! fault {
    ($check:literal, $path:literal, $mark:literal, $(($file:literal, $put:expr)),+) => {
        Fault { check: $check, puts: &[$(($file, $put)),+], at: ($path, $mark) }
    };
}

use Put::{All, Copy, End, Repeat};

pub(super) const FAULTS: &[Fault] = &[
    // Links.
    ends!("broken-link", "See [[nowhere]].\n", "nowhere"),
    ends!("broken-link", "See [it](gone.md).\n", "gone.md"),
    ends!("broken-link", "![[lost.png]]\n", "lost.png"),
    ends!("broken-link", "![a plan](../files/lost%20plan.png)\n", "lost%20plan"),
    ends!("broken-link", "| a | b |\n|---|---|\n| [[nowhere\\|alias]] | c |\n", "nowhere"),
    fault!(
        "broken-link",
        "notes/n08.md",
        "related",
        ("notes/n08.md", Copy("notes/n08.md", &[("updated:", "related: \"[[nowhere]]\"\nupdated:")]))
    ),
    ends!("broken-anchor", "See [[n02#No such heading]].\n", "No such"),
    ends!("broken-anchor", "See [[n02#^gone]].\n", "^gone"),
    ends!("broken-anchor", "See [below](#no-such-heading).\n", "no-such"),
    ends!("broken-anchor", "See [it](n02.md#no-such-heading).\n", "no-such"),
    fault!(
        "ambiguous-link",
        "notes/n07.md",
        "[[twin]]",
        ("notes/n07.md", End("See [[twin]], [[a/twin]] and [[b/twin]].\n")),
        ("a/twin.md", All("---\ntitle: A twin\n---\nThe first of two. [[n01]]\n")),
        ("b/twin.md", All("---\ntitle: B twin\n---\nWhat is left. [[n02]]\n"))
    ),
    fault!(
        "ambiguous-link",
        "notes/n07.md",
        "[[shared name]]",
        ("notes/n07.md", End("See [[shared name]], [[a1]] and [[a2]].\n")),
        ("a1.md", All("---\ntitle: A1\naliases: [shared name]\n---\nThe first of two. [[n01]]\n")),
        ("a2.md", All("---\ntitle: A2\naliases: [Shared Name]\n---\nWhat is left. [[n02]]\n"))
    ),
    fault!(
        "ambiguous-link",
        "notes/n07.md",
        "![[map.png]]",
        ("notes/n07.md", End("![[map.png]]\n")),
        ("a/map.png", All("1")),
        ("b/map.png", All("2"))
    ),
    fault!(
        "ambiguous-link",
        "notes/n07.md",
        "[[sub/page]]",
        ("notes/n07.md", End("See [[sub/page]], [[a/sub/page]] and [[b/sub/page]].\n")),
        ("a/sub/page.md", All("---\ntitle: Page A\n---\nThe first of two. [[n01]]\n")),
        ("b/sub/page.md", All("---\ntitle: Page B\n---\nWhat is left. [[n02]]\n"))
    ),
    // The graph.
    fault!("orphan", "alone.md", "", ("alone.md", All("---\ntitle: Alone\n---\nNobody knows this page.\n"))),
    fault!(
        "orphan",
        "notes/leads.md",
        "",
        ("notes/leads.md", All("---\ntitle: Leads\n---\nIt leads to [[n03]] only.\n"))
    ),
    fault!(
        "orphan",
        "deep/er/alone.md",
        "",
        ("deep/er/alone.md", All("---\ntitle: Deep\n---\nOnly to [itself](alone.md).\n"))
    ),
    fault!(
        "orphan",
        "plain.txt",
        "",
        ("plain.txt", All("Nobody knows this text.\n")),
        (".wiki.yaml", All("name: wiki\n"))
    ),
    fault!(
        "isolated",
        "island/a.md",
        "",
        ("island/a.md", All("---\ntitle: Island A\n---\nOn to [[island/b]].\n")),
        ("island/b.md", All("---\ntitle: Island B\n---\nReturn by [[island/a]].\n"))
    ),
    fault!(
        "isolated",
        "p.md",
        "",
        ("p.md", All("---\ntitle: P\n---\nOn to [q](q.md).\n")),
        ("q.md", All("---\ntitle: Q\n---\nFurther with [r](r.md).\n")),
        ("r.md", All("---\ntitle: R\n---\nReturn to [p](p.md).\n"))
    ),
    fault!(
        "isolated",
        "island/a.md",
        "",
        ("island/a.md", All("---\ntitle: Island A\n---\n![[island/b]]\n")),
        ("island/b.md", All("---\ntitle: Island B\n---\n![[island/a]]\n"))
    ),
    fault!(
        "isolated",
        "x1.md",
        "",
        ("x1.md", All("---\ntitle: X1\nup: \"[[x2]]\"\n---\nA cat.\n")),
        ("x2.md", All("---\ntitle: X2\ndown: \"[[x1]]\"\n---\nThree dogs.\n"))
    ),
    // Front matter.
    fault!(
        "stale",
        "notes/n09.md",
        "stale_after",
        ("notes/n09.md", Copy("notes/n09.md", &[("stale_after: 90d", "stale_after: 2026-11-29")]))
    ),
    fault!(
        "stale",
        "notes/n09.md",
        "stale_after",
        ("notes/n09.md", Copy("notes/n09.md", &[("updated: 2026-11-01", "updated: 2026-08-31")]))
    ),
    fault!("stale", "notes/n09.md", "stale_after", ("notes/n09.md", Copy("notes/n09.md", &[("90d", "2 weeks")]))),
    fault!(
        "stale",
        "notes/n09.md",
        "stale_after",
        (
            "notes/n09.md",
            Copy("notes/n09.md", &[("updated: 2026-11-01", "last_updated: 2025-01-31T10:00:00Z"), ("90d", "6 months")])
        )
    ),
    fault!("stale", "notes/n09.md", "stale_after", ("notes/n09.md", Copy("notes/n09.md", &[("90d", "soon")]))),
    fault!(
        "front-matter",
        "notes/n10.md",
        "",
        ("notes/n10.md", Copy("notes/n10.md", &[("title: Note 10", "kind: note")]))
    ),
    fault!(
        "front-matter",
        "notes/n10.md",
        "",
        ("notes/n10.md", Copy("notes/n10.md", &[("title: Note 10", "title: ''")]))
    ),
    fault!(
        "front-matter",
        "notes/n10.md",
        "stale_after",
        ("notes/n10.md", Copy("notes/n10.md", &[("updated: 2026-11-01\n", "updated: [2026-11-01\n")])),
        (".wiki.yaml", All("name: wiki\nlint: {off: [broken-link]}\n"))
    ),
    fault!(
        "front-matter",
        "notes/n10.md",
        "title: Note",
        ("notes/n10.md", Copy("notes/n10.md", &[("title: Note 10\n", "title: Note 10\n\tkind: x\n")])),
        (".wiki.yaml", All("name: wiki\nlint: {off: [broken-link]}\n"))
    ),
    fault!(
        "front-matter",
        "notes/n10.md",
        "title: Other",
        ("notes/n10.md", Copy("notes/n10.md", &[("updated: 2026-11-01\n", "title: Other\nupdated: 2026-11-01\n")]))
    ),
    fault!(
        "contradiction",
        "notes/n11.md",
        "contradicts",
        ("notes/n11.md", Copy("notes/n11.md", &[("updated:", "contradicts: n02\nupdated:")]))
    ),
    fault!(
        "contradiction",
        "notes/n11.md",
        "contradicts",
        ("notes/n11.md", Copy("notes/n11.md", &[("updated:", "contradicts: [\"[[n02]]\"]\nupdated:")]))
    ),
    fault!(
        "contradiction",
        "notes/n11.md",
        "contradicts",
        ("notes/n11.md", Copy("notes/n11.md", &[("updated:", "contradicts: notes/n02.md\nupdated:")]))
    ),
    fault!(
        "contradiction",
        "notes/n11.md",
        "contradicts",
        ("notes/n11.md", Copy("notes/n11.md", &[("updated:", "contradicts: Some other page\nupdated:")]))
    ),
    // Copies.
    fault!(
        "duplicate",
        "notes/n12b.md",
        "",
        ("notes/n12b.md", Copy("notes/n12.md", &[("the note of 12", "another name")])),
        ("notes/n01.md", End("[[n12b]]\n"))
    ),
    fault!(
        "duplicate",
        "notes/n12b.md",
        "",
        ("notes/n12b.md", Copy("notes/n12.md", &[("Note 12", "Twelve"), ("the note of 12", "another name")])),
        ("notes/n01.md", End("[[n12b]]\n"))
    ),
    fault!(
        "duplicate",
        "notes/n12b.md",
        "",
        (
            "notes/n12b.md",
            Copy(
                "notes/n12.md",
                &[
                    ("Note 12", "Twelve"),
                    ("the note of 12", "another name"),
                    ("A line to point to", "A LINE -- to point at")
                ]
            )
        ),
        ("notes/n01.md", End("[[n12b]]\n"))
    ),
    fault!(
        "duplicate",
        "notes/same.md",
        "",
        ("notes/same.md", All("---\ntitle: note 12\n---\nAll of it is new.\n")),
        ("notes/n01.md", End("[[same]]\n"))
    ),
    // The hot cache.
    fault!("hot-cache", "hot.md", "", ("hot.md", Repeat("word ", 501))),
    fault!("hot-cache", "hot.md", "", ("hot.md", Repeat("word\n\n", 5_000))),
    fault!("hot-cache", "hot.md", "", ("hot.md", Repeat("- [[n01]] is in work\n", 130))),
    fault!("hot-cache", "hot.md", "", ("hot.md", Repeat("热缓存里写了太多的字", 60))),
    // Secrets. None of them was ever given to anybody.
    ends!(
        "secret",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n-----END OPENSSH PRIVATE KEY-----\n",
        "BEGIN OPENSSH"
    ),
    ends!(
        "secret",
        "{\"private_key\": \"-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\\n\"}\n",
        "private_key"
    ),
    ends!("secret", "The key is AKIAQ4N7ZLWJ3TXKVBRP.\n", "AKIA"),
    ends!("secret", "Log in with `ghp_9sFq2LxV7bTz4KcRw8YpNd3JmHa6Ug1EoXiB`.\n", "ghp_"),
    ends!("secret", "token: glpat-x7Kd93LmQpRtZvB2nWyF\n", "glpat"),
    ends!("secret", "//registry.npmjs.org/:_authToken=npm_h2Kq8VxZs4TfWm9LcRj6YbPd3NgAe7UoXi15\n", "npm_"),
    ends!("secret", "STRIPE=sk_live_4fQz9LmXc7VbNw2RtYk8HsJd\n", "sk_live"),
    ends!("secret", "AIzaSyD4kL9vQxWm2RtZb7NcFp3HjYs8GuEo1Tx\n", "AIza"),
    ends!("secret", "sk-ant-api03-Rk7vLq2XzW9mBt4NcYf8HsJd3PgAe6UoQi1Tx5ZwKr_Vb-Lm\n", "sk-ant"),
    ends!(
        "secret",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI4NDcxIiwicm9sZSI6ImVkaXRvciJ9.Zk3vQx9LmWt2RbNc7YpFh8JsDg4UeAo6Xi1TzKr5Vw0\n",
        "eyJ"
    ),
    ends!("secret", "DB_PASSWORD=Gard3n-gate-77\n", "DB_PASSWORD"),
    ends!("secret", "passwort: \"Flieder!2081\"\n", "passwort"),
    ends!("secret", "```yaml\nclient_secret: 8f3Kd92LmQpRt7ZvB2nWyFx4\n```\n", "client_secret"),
    ends!("secret", "postgres://gardener:tulip-4417@db.acme-garden.com/beds\n", "postgres"),
    // Personal data.
    ends!("personal", "Ask jane.doe@acme-garden.com.\n", "jane"),
    ends!("personal", "Ask [Jane](mailto:j.doe@acme-garden.co.uk).\n", "Jane"),
    ends!("personal", "Paid with 4539 1488 0343 6467.\n", "4539"),
    ends!("personal", "Paid with 5425233430109903.\n", "5425"),
    ends!("personal", "Send it to DE68 2105 0170 0012 3456 78.\n", "DE68"),
    ends!("personal", "Send it to FR7612345987650123456789014\n", "FR76"),
    ends!("personal", "His SSN is 536-22-8471.\n", "SSN"),
];
