use super::*;

const LIMIT: Duration = Duration::from_secs(60);

fn trial() -> Trial {
    Trial {
        library: "/lib/libonnxruntime.so".into(),
        model: "/models/model.onnx".into(),
        kind: "embedder".to_owned(),
        output: Some("embedding".to_owned()),
        pooling: "none".to_owned(),
        dimensions: 384,
        normalise: false,
    }
}

/// The verdict of a process that runs this script. The trial is its second argument.
#[cfg(unix)]
fn verdict(script: &str, limit: Duration) -> Verdict {
    let command = ["/bin/sh", "-c", script, "sh"].map(PathBuf::from);
    trial().in_child(&command, limit).unwrap()
}

#[cfg(unix)]
#[track_caller]
fn assert_unusable(verdict: Verdict, expected: &str) {
    let Verdict::RuntimeUnusable(fault) = verdict else { panic!("{verdict:?}") };
    assert!(fault.contains(expected), "{fault}");
}

#[test]
#[cfg(unix)]
fn the_verdict_is_the_last_line_of_the_process() {
    assert_eq!(verdict(r#"echo noise; echo '"usable"'; echo"#, LIMIT), Verdict::Usable);
    let fault = Verdict::ModelUnusable("no".to_owned());
    assert_eq!(verdict(r#"echo '{"model-unusable":"no"}'"#, LIMIT), fault);
}

#[test]
#[cfg(unix)]
fn the_process_is_told_plugin_and_trial() {
    let script =
        format!(r#"test "$1" = onnx && test "$2" = '{}' && echo '"usable"'"#, serde_json::to_string(&trial()).unwrap());
    assert_eq!(verdict(&script, LIMIT), Verdict::Usable);
}

#[test]
#[cfg(unix)]
fn a_process_that_dies_tells_how() {
    assert_unusable(verdict("kill -ILL $$", LIMIT), "signal");
    assert_unusable(verdict(r#"echo '"usable"'; exit 3"#, LIMIT), "3");
    assert_unusable(verdict("echo something else", LIMIT), "without a verdict");
    assert_unusable(verdict(":", LIMIT), "without a verdict");
}

#[test]
#[cfg(unix)]
fn a_process_that_hangs_is_ended() {
    let hangs = Duration::from_millis(300);
    assert_unusable(verdict("exec sleep 600", hangs), "hangs");
    // The pipe stays open in a process that outlives it.
    assert_unusable(verdict("sleep 600 & exec sleep 600", hangs), "hangs");
}

#[test]
#[cfg(unix)]
fn much_output_is_no_hindrance() {
    let script = r#"head -c 5000000 /dev/zero | tr '\0' 'x'; echo; echo '"usable"'"#;
    assert_eq!(verdict(script, LIMIT), Verdict::Usable);
}

#[test]
fn a_process_that_cannot_be_started_says_nothing_of_the_library() {
    for command in [vec![], vec![PathBuf::from("/nowhere/at/all")]] {
        let error = trial().in_child(&command, LIMIT).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unavailable);
        assert!(error.remedy().unwrap().contains("probe: here"), "{error}");
    }
}

#[test]
fn an_input_that_is_no_trial_is_refused() {
    for input in ["", "{}", "null", r#"{"library": 1}"#] {
        assert_eq!(run(input).unwrap_err().kind(), ErrorKind::Invalid, "{input}");
    }
}
