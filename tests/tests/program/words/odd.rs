//! What other programs take for commands.

use super::Table;

pub(super) const OPERATORS: Table = Table {
    notes: &[
        (
            "An unbalanced washing machine wanders.",
            &[
                "\"unbalanced",
                "unbalanced\"",
                "(unbalanced",
                "unbalanced~2",
                "+unbalanced",
                "unbalanced^3",
                "unbalanced*",
                "*unbalanced",
            ],
        ),
        (
            "The retry happens after a minute.",
            &["retry OR", "retry AND", "AND retry", "OR retry", "retry ||", "&& retry", "!retry"],
        ),
        (
            "The parcel is done and delivered.",
            &["done)", "[done TO", "{done}", "done;", "done -- comment", "'done' OR '1'='1"],
        ),
        (
            "Not near the harbour, but behind it.",
            &["NEAR(harbour)", "NEAR/3 harbour", "harbour?", "har\\bour harbour", "/harbour/"],
        ),
        ("The C++ compiler and the C# compiler disagree.", &["C++ compiler", "c#"]),
        ("A tilde ~ and a caret ^ stand here.", &["tilde ~", "^ caret", "caret^tilde"]),
        ("Percent signs: 100% of %PATH% is kept.", &["100%", "%PATH%", "percent %"]),
        ("Fire 🔥 is a symbol in chats.", &["fire 🔥", "🔥 fire", "chats🔥symbol"]),
        ("Families 👨‍👩‍👧 come in all sizes.", &["families 👨‍👩‍👧", "👨‍👩‍👧families"]),
    ],
    nothing: &["\"", "\"\"", "''", "(((((", "[]", "*", "?", "^2~", "🌿", "🔥", "👨‍👩‍👧", "❤️ 💔", "+", "\\", "\u{200d}"],
};

/// Some lines are those of the Big List of Naughty Strings (MIT).
pub(super) const NAUGHTY: Table = Table {
    notes: &[
        ("The value is undefined there.", &["undefined"]),
        ("The value is NULL elsewhere.", &["NULL", "(null)", "null"]),
        ("The answer is NaN for once.", &["NaN"]),
        ("Nothing but true was said.", &["true", "TRUE"]),
        ("Large: 123456789012345678901234567890123456789.", &["123456789012345678901234567890123456789"]),
        ("Hexadecimal 0xabad1dea is a joke.", &["0xabad1dea"]),
        ("Small: 2.2250738585072011e-308.", &["2.2250738585072011e-308"]),
        ("Money: $1.00 and 1/2 of it.", &["$1.00", "1/2"]),
        ("Ω≈ç√∫˜µ≤≥÷ were typed with a key held down.", &["Ω≈ç√∫˜µ≤≥÷"]),
        ("Powers: ⁰⁴⁵ stand above.", &["⁰⁴⁵", "045"]),
        ("田中さんにあげて下さい", &["田中さんにあげて下さい", "田中"]),
        ("和製漢語は日本で作られた。", &["和製漢語"]),
        ("社會科學院語學研究所", &["社會科學院語學研究所", "語學"]),
        ("찦차를 타고 온 펲시맨과 쑛다리 똠방각하", &["찦차를 타고 온 펲시맨과 쑛다리 똠방각하", "펲시맨"]),
        ("𠜎𠜱𠝹𠱓𠱸𠲖𠳏", &["𠜎𠜱𠝹𠱓𠱸𠲖𠳏", "𠝹𠱓"]),
        ("ﷺ and ﷽ are one character each.", &["ﷺ", "صلى الله"]),
        ("הָיְתָהtestالصفحات التّحول", &["הָיְתָהtestالصفحات التّحول", "الصفحات", "היתה"]),
        ("Somebody invokes Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮ again.", &["Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮", "zalgo"]),
        ("𝕋𝕙𝕖 𝕢𝕦𝕚𝕔𝕜 𝕓𝕣𝕠𝕨𝕟 𝕗𝕠𝕩 jumps.", &["quick brown fox", "𝓺𝓾𝓲𝓬𝓴 𝓫𝓻𝓸𝔀𝓷 𝓯𝓸𝔁"]),
        ("𝚃𝚑𝚎 𝚕𝚊𝚣𝚢 𝚍𝚘𝚐 sleeps.", &["lazy dog", "𝚍𝚘𝚐"]),
        ("ǝɹolop is written upside down.", &["ǝɹolop"]),
        (
            "It shows `<script>alert(123)</script>` as it is.",
            &["<script>alert(123)</script>", "＜script＞alert(123)＜/script＞"],
        ),
        ("It escapes `onerror=prompt` in pictures.", &["<img src=x onerror=prompt />"]),
        ("Bobby typed `1;DROP TABLE users`.", &["1;DROP TABLE users", "'; DROP TABLE users; --"]),
        ("The template holds {{constructor}} in braces.", &["{{constructor}}", "${constructor}"]),
        ("They read ../../../etc/passwd by mistake.", &["../../../../../etc/passwd%00", "/etc/passwd"]),
        ("Scunthorpe General Hospital has a new wing.", &["Scunthorpe General Hospital"]),
        ("The format %s%d%n crashed it; the other was {0}.", &["%s%d%n", "format %n"]),
        ("File names such as CON and COM1 are taken.", &["COM1"]),
        ("Power لُلُصّبُلُلصّبُررً ॣ ॣh ॣ ॣ 冗 broke telephones.", &["Power لُلُصّبُلُلصّبُررً ॣ ॣh ॣ ॣ 冗", "冗"]),
    ],
    nothing: &[
        ",./;'[]\\-=",
        "<>?:\"{}|_+",
        "!@#$%^&*()`~",
        "¡™£¢∞§¶•≠",
        "--",
        "-.",
        "😍",
        "👩🏽",
        "🐵 🙈 🙉 🙊",
        "✋🏿 💪🏿",
        "'\"'",
        "( ͡° ͜ʖ ͡°)",
        "(╯°□°）╯︵ ┻━┻)",
        "\u{feff}",
        "\u{202e}\u{2066}",
        "␣␢␡",
        "﷽",
        "zxqv blorptang",
    ],
};
