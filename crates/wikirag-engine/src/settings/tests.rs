use std::fs;

use proptest::prelude::*;
use serde_json::json;
use tempfile::TempDir;

use super::*;

/// A folder with `user.toml` and, as the current folder, `project/below`.
struct Place {
    folder: TempDir,
    options: LoadOptions,
}

impl Place {
    fn new(user: &str, project: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        let cwd = root.join("project/below");
        fs::create_dir_all(&cwd).unwrap();
        fs::write(root.join("user.toml"), user).unwrap();
        fs::write(root.join("project").join(FILE_NAME), project).unwrap();
        let options = LoadOptions { user_file: Some(root.join("user.toml")), ..LoadOptions::new(cwd) };
        Self { folder, options }
    }

    fn env(mut self, name: &str, value: &str) -> Self {
        self.options.env.push((name.into(), value.into()));
        self
    }

    fn flag(mut self, key: &str, value: &str) -> Self {
        self.options.flags.push((key.into(), value.into()));
        self
    }

    fn load(&self) -> Result<Settings> {
        Settings::load(&self.options)
    }

    fn error(&self) -> Error {
        self.load().unwrap_err()
    }

    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }
}

fn origin_of(settings: &Settings, key: &str) -> Origin {
    settings.origins().iter().find(|setting| setting.key == key).unwrap().origin.clone()
}

#[test]
fn defaults_hold_where_nothing_is_set() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings::load(&LoadOptions::new(folder.path())).unwrap();
    assert_eq!(settings.data_dir, folder.path().join(".wikirag"));
    assert_eq!((settings.limit, settings.refresh.max_files), (10, 16));
    assert_eq!((settings.build.threads, settings.build.memory_mb), (0, 96));
    assert_eq!((settings.clearance, &settings.index_dir), (Sensitivity::Internal, &None));
    assert!(settings.wiki_path.is_empty() && settings.plugins.is_empty());
    let keys: Vec<&str> = settings.origins().iter().map(|setting| setting.key.as_str()).collect();
    let known: Vec<&str> = keys::KEYS.iter().map(|(key, _)| *key).filter(|key| *key != "plugins").collect();
    assert_eq!(keys, known);
    for setting in settings.origins() {
        assert_eq!(setting.origin, Origin::Default);
        let is_unset = ["index_dir", "layers"].contains(&setting.key.as_str());
        assert_eq!(setting.value.is_null(), is_unset, "{}", setting.key);
    }
}

#[test]
fn each_layer_wins_over_the_one_before() {
    let place = Place::new("limit = 1\nbuild.threads = 1\nrefresh.max_files = 1", "limit = 2\nbuild.threads = 2")
        .env("WIKIRAG_LIMIT", "3")
        .env("UNRELATED", "x");
    let settings = place.load().unwrap();
    assert_eq!((settings.limit, settings.build.threads, settings.refresh.max_files), (3, 2, 1));
    assert_eq!(origin_of(&settings, "limit"), Origin::Environment("WIKIRAG_LIMIT".into()));
    assert_eq!(origin_of(&settings, "build.threads"), Origin::ProjectFile(place.path("project/wikirag.toml")));
    assert_eq!(origin_of(&settings, "refresh.max_files"), Origin::UserFile(place.path("user.toml")));
    assert_eq!(origin_of(&settings, "build.memory_mb"), Origin::Default);
    let settings = place.flag("limit", "4").flag("limit", "5").load().unwrap();
    assert_eq!((settings.limit, origin_of(&settings, "limit")), (5, Origin::Flag));
}

#[test]
fn another_user_file_may_be_named_and_must_exist() {
    let place = Place::new("limit = 1", "").env("WIKIRAG_CONFIG", "other.toml");
    let error = place.error();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("WIKIRAG_CONFIG"), "{error}");
    fs::write(place.path("project/below/other.toml"), "limit = 7").unwrap();
    assert_eq!(place.load().unwrap().limit, 7);
}

#[test]
fn paths_are_relative_to_where_they_stand() {
    let place = Place::new("data_dir = 'data'\nindex_dir = '~/index'", "wiki_path = ['a', '/b']");
    let mut options = place.options.clone();
    assert!(Settings::load(&options).unwrap_err().to_string().contains("no home folder"));
    options.home = Some("/h/x".into());
    let settings = Settings::load(&options).unwrap();
    assert_eq!(settings.data_dir, place.path("data"));
    assert_eq!(settings.index_dir.as_deref(), Some(Path::new("/h/x/index")));
    assert_eq!(settings.wiki_path, [place.path("project/a"), PathBuf::from("/b")]);
    let settings = Place::new("", "").flag("data_dir", "d").load().unwrap();
    assert!(settings.data_dir.ends_with("project/below/d"));
}

#[test]
fn an_unknown_key_is_named_with_file_line_and_suggestion() {
    let place = Place::new("", "limit = 2\n\n[build]\nthraeds = 1");
    let error = place.error();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert_eq!(error.context("line"), Some("4"));
    assert_eq!(error.remedy(), Some("did you mean `build.threads`?"));
    assert!(error.context("in").unwrap().contains("project/wikirag.toml"), "{error}");
}

#[test]
fn an_unknown_variable_is_never_without_effect_in_silence() {
    for (name, near) in [
        ("WIKIRAG_LIMTI", Some("WIKIRAG_LIMIT")),
        ("WIKIRAG_BUILD_THREADS", Some("WIKIRAG_BUILD__THREADS")),
        ("WIKIRAG_CONFG", Some("WIKIRAG_CONFIG")),
        ("WIKIRAG_", None),
        ("WIKIRAG_PLUGINS__", None),
        ("WIKIRAG_BUILD", None),
    ] {
        let error = Place::new("", "").env(name, "1").error();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
        if let Some(near) = near {
            assert!(error.remedy().unwrap().contains(&format!("`{near}`")), "{error}");
        }
    }
    let place = Place::new("", "").env("WIKIRAG_LIMIT", "");
    assert_eq!(place.load().unwrap().limit, 10);
}

#[test]
fn values_that_do_not_fit_name_their_origin() {
    let place = Place::new("clearance = 'secret'", "");
    let error = place.error();
    assert!(error.message().contains("secret") && error.message().contains("confidential"), "{error}");
    assert_eq!(error.context("line"), Some("1"));
    for (key, value) in [
        ("limit", "0"),
        ("limit", "many"),
        ("limit", "-1"),
        ("build.memory_mb", "1"),
        ("build.threads", "99999999999999999999"),
        ("build.threads", "5000"),
        ("clearance", "3"),
        ("clearance", ""),
        ("data_dir", ""),
        ("limti", "1"),
        ("", "1"),
        ("..", "1"),
    ] {
        let error = Place::new("", "").flag(key, value).error();
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
        assert_eq!(error.context("in"), Some("flag"));
    }
    let error = Place::new("", "").env("WIKIRAG_LIMIT", "many").error();
    assert_eq!(error.context("in"), Some("environment WIKIRAG_LIMIT"));
    let error = Place::new("limit = [", "").error();
    assert!(error.context("path").unwrap().ends_with("user.toml") && error.context("line") == Some("1"), "{error}");
}

#[test]
fn a_plugin_gets_its_table_with_its_origins() {
    let place = Place::new("[plugins.embed-api]\nurl = 'u'\n[plugins.embed-api.retry]\ntimes = 2", "")
        .env("WIKIRAG_PLUGINS__EMBED_API__MODEL", "m");
    let settings = place.load().unwrap();
    let section = settings.plugin("embed-api");
    assert_eq!(*section.value(), json!({"url": "u", "retry": {"times": 2}, "model": "m"}));
    assert!(section.origin().contains("user.toml") && section.origin().contains("EMBED_API__MODEL"), "{section:?}");
    assert_eq!(settings.plugin("absent"), Section::empty());
    let listed = settings.origins().iter().find(|setting| setting.key == "plugins.embed-api.retry.times").unwrap();
    assert_eq!(serde_json::to_value(listed).unwrap()["origin"], json!(place_origin(&place)));
}

fn place_origin(place: &Place) -> String {
    format!("user file {}", place.path("user.toml").display())
}

#[test]
fn the_order_of_the_environment_does_not_matter() {
    let mut place = Place::new("", "")
        .env("WIKIRAG_PLUGINS__A__X", "1")
        .env("WIKIRAG_PLUGINS__A__X__Y", "2")
        .env("WIKIRAG_LIMIT", "3");
    let first = place.load().unwrap();
    place.options.env.reverse();
    assert_eq!(place.load().unwrap(), first);
}

#[test]
fn somebody_in_the_configuration_folder_has_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE_NAME);
    fs::write(&path, "limit = 3").unwrap();
    let options = LoadOptions { user_file: Some(path.clone()), ..LoadOptions::new(folder.path()) };
    assert_eq!(origin_of(&Settings::load(&options).unwrap(), "limit"), Origin::UserFile(path));
}

proptest! {
    #[test]
    fn no_file_variable_or_flag_panics(file in "\\PC{0,60}", name in "[A-Z_]{0,20}", key in "[a-z._]{0,20}", text in "\\PC{0,20}") {
        let place = Place::new(&file, "").env(&format!("WIKIRAG_{name}"), &text);
        let _ = place.load();
        let _ = Place::new("", "").flag(&key, &text).load();
    }
}
