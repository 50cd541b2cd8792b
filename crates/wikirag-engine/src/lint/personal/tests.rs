use proptest::prelude::*;

use super::*;

fn found(text: &str) -> Vec<&str> {
    traces(text).into_iter().map(|trace| &text[trace.span]).collect()
}

#[test]
fn mail_addresses() {
    for (text, address) in [
        ("Ask jane.doe@acme-garden.com.", "jane.doe@acme-garden.com"),
        ("<j+x@acme-garden.co.uk>", "j+x@acme-garden.co.uk"),
        ("[Jane](mailto:jane@acme-garden.com)", "jane@acme-garden.com"),
        ("寄给jane@acme-garden.com。", ""),
        ("info@acme-garden.com", "info@acme-garden.com"),
    ] {
        let wanted: Vec<&str> = Some(address).filter(|address| !address.is_empty()).into_iter().collect();
        assert_eq!(found(text), wanted, "{text}");
    }
    assert_eq!(traces("info@acme-garden.com")[0].severity, Severity::Note);
    for text in [
        "user@example.com",
        "jane@mail.example.org",
        "you@company.com",
        "logo@2x.png",
        "left-pad@1.3.0",
        "@types/node@18.x",
        "git@github.com:org/repo.git",
        "https://jane@acme-garden.com/x",
        "https://jane:tulip@acme-garden.com/x",
        "@jane@acme.social",
        "123@users.noreply.github.com",
        "a@b",
        "@",
        "jane@acme..com",
        "jane@-acme.com",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}

#[test]
fn card_numbers() {
    for text in
        ["4539 1488 0343 6467", "4539-1488-0343-6467", "5425233430109903", "2223 0000 4841 0010", "374245455400126"]
    {
        assert_eq!(found(&format!("Paid with {text}.")), [text]);
    }
    for text in [
        "4111 1111 1111 1111",
        "4242424242424242",
        "378282246310005",
        "4000002500003155",
        "4539 1488 0343 6468",
        "1539148803436467",
        "0.4539148803436467",
        "45391488034364671",
        "https://x.org/4539148803436467",
        "id-4539148803436467",
        "4539148803436467px",
        "453 914 880 343 646 7",
        "",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}

#[test]
fn account_and_social_security_numbers() {
    for text in ["DE68 2105 0170 0012 3456 78", "FR7612345987650123456789014", "NO9386011117947"] {
        assert_eq!(found(&format!("To {text}, please")), [text]);
    }
    for text in [
        "DE68 2105 0170 0012 3456 79",
        "DE89 3704 0044 0532 0130 00",
        "XX68210501700012345678",
        "DE682105",
        "GB29NWBK60161331926819",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
    assert_eq!(found("Her SSN: 536-22-8471"), ["536-22-8471"]);
    for text in ["536-22-8471", "SSN 078-05-1120", "SSN 666-22-8471", "SSN 536-22-84711", "SSN 000-22-8471"] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_looked_through(text in "(\\PC{0,9}|[0-9]{4}[ -]?|@|DE[0-9]{2}|ssn|[a-z]{1,4}[.]|\n){0,24}") {
        for trace in traces(&text) {
            prop_assert!(text.get(trace.span).is_some_and(|trace| !trace.is_empty()));
        }
    }

    #[test]
    fn one_digit_more_or_less_makes_no_card(at in 0_usize..16, by in 1_u32..10) {
        let mut digits: Vec<u32> = "4539148803436467".chars().filter_map(|c| c.to_digit(10)).collect();
        digits[at] = (digits[at] + by) % 10;
        let number: String = digits.iter().filter_map(|digit| char::from_digit(*digit, 10)).collect();
        prop_assert_eq!(found(&number), [""; 0]);
    }
}
