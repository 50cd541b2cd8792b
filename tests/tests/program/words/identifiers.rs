//! Names of code, versions, dates, paths.

use super::Table;

pub(super) const IDENTIFIERS: Table = Table {
    notes: &[
        (
            "Call `atomic_write_json` to save the state.",
            &[
                "atomic_write_json",
                "atomicWriteJson",
                "atomic-write-json",
                "AtomicWriteJSON",
                "ATOMIC_WRITE_JSON",
                "atomic write json",
                "atomicwritejson",
                "atomic write",
            ],
        ),
        ("Call `atomic_read_json` to load the state.", &["atomic_read_json", "atomic read"]),
        ("Call `write_json` where a crash does no harm.", &["write_json", "writeJson"]),
        (
            "The class HTTPServer2 answers requests.",
            &["HTTPServer2", "http_server_2", "httpserver2", "HTTP server 2", "http-server-2", "HttpServer2"],
        ),
        ("The class HTTPServer answers nothing any more.", &["HTTPServer", "httpserver"]),
        ("The class FTPServer2 was never written.", &["FTPServer2", "ftp server"]),
        (
            "DEC-0054 settles the storage.",
            &["DEC-0054", "dec-0054", "dec0054", "DEC 0054", "dec_0054", "0054", "-DEC-0054", "\"DEC-0054\""],
        ),
        ("DEC-0053 settles the language.", &["DEC-0053", "0053"]),
        ("TASK-0054 asks somebody to settle it.", &["TASK-0054", "task0054"]),
        (
            "`getElementById` returns one node.",
            &["getElementById", "get_element_by_id", "getelementbyid", "element by id"],
        ),
        ("`getElementsByClassName` returns many nodes.", &["getElementsByClassName", "class name"]),
        ("Press ctrl+alt+del and wait.", &["ctrl+alt+del", "ctrl alt del"]),
        (
            "`std::collections::HashMap` has no order.",
            &["std::collections::HashMap", "HashMap", "hash map", "collections hashmap"],
        ),
        ("`std::collections::BTreeMap` is ordered.", &["std::collections::BTreeMap", "btreemap"]),
        ("The error is E0502 of the borrow checker.", &["E0502", "e0502", "error[E0502]"]),
        ("The error is E0499 of the borrow checker.", &["E0499"]),
        ("CVE-2021-44228 is the hole in the logger.", &["CVE-2021-44228", "cve 2021 44228", "44228"]),
        ("CVE-2021-45046 is the hole in the mended logger.", &["CVE-2021-45046"]),
        ("Commit 3f2a9c01bd77e broke the parser.", &["3f2a9c01bd77e", "3F2A9C01BD77E"]),
        (
            "The identity 550e8400-e29b-41d4-a716-446655440000 is an example.",
            &["550e8400-e29b-41d4-a716-446655440000", "446655440000"],
        ),
        ("Set `--no-refresh` to look at nothing.", &["--no-refresh", "no-refresh", "no_refresh"]),
        (
            "The variable $XDG_CONFIG_HOME moves the settings.",
            &["$XDG_CONFIG_HOME", "XDG_CONFIG_HOME", "xdg config home", "xdgConfigHome"],
        ),
        ("The variable XDG_DATA_HOME moves the data.", &["XDG_DATA_HOME"]),
        ("In kebab-case words are joined by dashes.", &["kebab-case", "kebabcase", "kebab case", "kebab"]),
        ("The model is called gpt-4o-mini there.", &["gpt-4o-mini", "gpt 4o mini", "gpt4o"]),
        ("An e-mail reached the wrong desk.", &["e-mail", "email", "E-Mails"]),
        ("They met at AT&T in the autumn.", &["AT&T"]),
        ("Issue #4711 was closed in error.", &["#4711", "4711"]),
        ("Several PDFs are missing from the folder of the project.", &["PDF", "PDFs", "pdf"]),
    ],
    nothing: &["zxqv_blorp", "blorptang", "DECX-77881", "qqqqServerette"],
};

pub(super) const VERSIONS: Table = Table {
    notes: &[
        ("In v1.0.21 the leak is mended.", &["v1.0.21", "1.0.21", "V1.0.21", "version 1.0.21"]),
        ("In v1.0.2 the leak is known.", &["v1.0.2", "1.0.2"]),
        ("In v1.0.22 the leak is back.", &["v1.0.22", "1.0.22"]),
        ("In v10.21 the leak was unknown.", &["v10.21", "10.21"]),
        ("Python 3.12 warns, and so do its successors.", &["Python 3.12", "3.12", "python3.12"]),
        ("Python 3.11 does not warn.", &["Python 3.11", "3.11"]),
        ("The candidate 2.0.0-rc.1 is out.", &["2.0.0-rc.1", "2.0.0 rc 1"]),
        ("The candidate 2.0.0-beta.3 is withdrawn.", &["2.0.0-beta.3", "beta.3"]),
        ("It costs 1,000 crowns.", &["1,000"]),
        ("The address is 192.168.0.17 inside.", &["192.168.0.17"]),
        ("The address is 192.168.17.0 outside.", &["192.168.17.0"]),
        ("TLS1.3 is asked for.", &["TLS1.3", "TLS 1.3", "tls-1.3"]),
        ("TLS1.2 is refused.", &["TLS1.2", "TLS 1.2"]),
    ],
    nothing: &["77.88.99", "66.55"],
};

pub(super) const DATES: Table = Table {
    notes: &[
        ("On 2026-03-31 we met in the attic.", &["2026-03-31", "2026-03-31 attic", "31 03 2026"]),
        ("On 2026-03-13 we met in the cellar.", &["2026-03-13"]),
        ("On 2026-04-01 we met in the garden.", &["2026-04-01", "what happened on 2026-04-01?"]),
        ("On 2025-04-01 we met nowhere.", &["2025-04-01"]),
        ("On 31.03.2024 the lease ended.", &["31.03.2024"]),
        ("On 03/31/2023 the lease began.", &["03/31/2023"]),
        ("The clock stopped at 2019-07-04T12:30:00Z.", &["2019-07-04T12:30:00Z", "2019-07-04"]),
        ("The train leaves at 17:45.", &["17:45", "train 17:45"]),
        ("The train arrives at 17:54.", &["17:54"]),
        ("The harvest of 1987 was poor.", &["1987", "harvest 1987"]),
        ("We counted in the second week, 2026-W14.", &["2026-W14"]),
    ],
    nothing: &["1066-10-28", "09:59"],
};

pub(super) const PATHS: Table = Table {
    notes: &[
        (
            "The program starts in src/main.rs and reads its arguments.",
            &["src/main.rs", "SRC/MAIN.RS", "src main rs", "src\\main.rs"],
        ),
        ("The library starts in src/lib.rs and has none.", &["src/lib.rs", "lib.rs"]),
        ("The tests start in tests/main.rs and end there.", &["tests/main.rs"]),
        ("Log in as user@host over the tunnel.", &["user@host", "USER@HOST", "user host"]),
        ("Log in as root@host in an emergency.", &["root@host"]),
        ("Write to jane.doe@example.com about it.", &["jane.doe@example.com", "jane.doe", "jane doe"]),
        ("Write to john.doe@example.com about anything else.", &["john.doe@example.com"]),
        (
            "The page https://docs.example.org/guide/setup?lang=en#first explains it.",
            &["https://docs.example.org/guide/setup?lang=en#first", "docs.example.org/guide/setup", "docs.example.org"],
        ),
        (
            "The page https://blog.example.org/2019/setup denies it.",
            &["blog.example.org", "https://blog.example.org/2019/setup"],
        ),
        (
            "The map is at ~/.config/wiki/settings.toml there.",
            &["~/.config/wiki/settings.toml", ".config/wiki", "settings.toml"],
        ),
        ("The list is at /etc/hosts on most systems.", &["/etc/hosts", "etc hosts"]),
        ("Open C:\\Users\\Ada\\notes.txt by hand.", &["C:\\Users\\Ada\\notes.txt", "Users\\Ada"]),
        ("The ratio a:b is two to one.", &["a:b"]),
        ("The server listens on localhost:8080 only.", &["localhost:8080", "8080"]),
        ("The server listened on localhost:9090 before.", &["localhost:9090"]),
        ("Edit .gitignore and Cargo.toml first.", &[".gitignore", "gitignore", "Cargo.toml", "cargo toml"]),
        ("Import @scope/package from the registry.", &["@scope/package", "scope/package"]),
        ("Clone git@example.net:team/wiki.git once.", &["git@example.net:team/wiki.git", "team/wiki.git"]),
    ],
    nothing: &["qq/ww.ee", "nobody@nowhere"],
};
