use proptest::prelude::*;

use super::*;

fn found(text: &str) -> Vec<(&'static str, &str)> {
    let leaks = leaks(&token::Prefixes::new(), text);
    leaks.into_iter().map(|leak| (leak.what, &text[leak.span])).collect()
}

#[test]
fn tokens_are_known_by_prefix_length_and_chance() {
    for (text, what, token) in [
        ("id AKIAQ4N7ZLWJ3TXKVBRP.", "an AWS access key id", "AKIAQ4N7ZLWJ3TXKVBRP"),
        ("(ghp_9sFq2LxV7bTz4KcRw8YpNd3JmHa6Ug1EoXiB)", "a GitHub token", "ghp_9sFq2LxV7bTz4KcRw8YpNd3JmHa6Ug1EoXiB"),
        ("x=sk_live_4fQz9LmXc7VbNw2RtYk8HsJd&y", "a Stripe key", "sk_live_4fQz9LmXc7VbNw2RtYk8HsJd"),
        ("'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'", "a Hugging Face token", "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"),
        ("xoxb-4718293650-8271936450-Rk7vLq2XzW9mBt4N", "a Slack token", "xoxb-4718293650-8271936450-Rk7vLq2XzW9mBt4N"),
    ] {
        assert_eq!(found(text), [(what, token)], "{text}");
    }
    for text in [
        "AKIAIOSFODNN7EXAMPLE",
        "AKIA",
        "XAKIAQ4N7ZLWJ3TXKVBRP",
        "AKIAQ4N7ZLWJ3TXKVBRPQQ",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "sk-estimator-html-doc-link-sk-container-id-1",
        "sk-ant-api03-your-key-goes-here-and-nowhere-else-in-text",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "a file begins with `-----BEGIN RSA PRIVATE KEY-----`, as all know",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA7VJTUt9Us8cKjM\n",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn assigned_values_are_secrets_if_they_look_like_some() {
    for (text, value) in [
        ("password: Gard3n-gate-77", "Gard3n-gate-77"),
        ("DB_PASSWORD=\"tulip!bulb\"", "tulip!bulb"),
        ("\"adminPassword\": \"tulip-4417\",", "tulip-4417"),
        ("- **Passwort**: Flieder!2081", "Flieder!2081"),
        ("mot de passe : Lilas-2081", "Lilas-2081"),
        ("api_key = '8f3Kd92LmQpRt7ZvB2nWyFx4'", "8f3Kd92LmQpRt7ZvB2nWyFx4"),
        ("Authorization: Bearer 8f3Kd92LmQpRt7ZvB2nWyFx4", "8f3Kd92LmQpRt7ZvB2nWyFx4"),
        ("?access_token=8f3Kd92LmQpRt7ZvB2nWyFx4&x=1", "8f3Kd92LmQpRt7ZvB2nWyFx4"),
        ("redis://:tulip-4417@10.0.0.1/", "tulip-4417"),
    ] {
        assert_eq!(found(text).into_iter().map(|(_, value)| value).collect::<Vec<_>>(), [value], "{text}");
    }
    for text in [
        "password: string",
        "password: see the safe",
        "password = os.environ['PASSWORD_2024']",
        "password: ${DB_PASSWORD_1}",
        "password: <your-password-1>",
        "password: Test123!@#",
        "\"password\": \"SecurePass123!\"",
        "password: ************",
        "password_hash: bcrypt12!x",
        "passwords: 2024-11-30",
        "token: Option<Vec<u8>>",
        "max_tokens: 4096",
        "next_page_token: 8f3Kd92LmQpRt7ZvB2nWyFx4",
        "token = get_token(8f3Kd92LmQpRt7ZvB2nWyFx4)",
        "secret: my-secret-token-for-2024-and-on",
        "api_key: YOUR_API_KEY_1234567",
        "https://user:password@example.org",
        "http://host:8080/@user",
        "a: b: c",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_looked_through(text in "(\\PC{0,9}|password[:=]|-----BEGIN |PRIVATE KEY-----|ghp_|eyJ|://|@|\n){0,24}") {
        let mut end = 0;
        for leak in leaks(&token::Prefixes::new(), &text) {
            prop_assert!(end <= leak.span.start && text.get(leak.span.clone()).is_some_and(|leak| !leak.is_empty()));
            end = leak.span.end;
        }
    }
}
