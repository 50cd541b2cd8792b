//! The tokens of a page, by `html5gum`, handed to whoever builds something of them.

use std::convert::Infallible;
use std::ops::Range;

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::emitters::{Emitter, ForwardingEmitter};
use html5gum::{Span, State, Tokenizer};

use crate::tag::Tag;

/// Takes the tokens of a page, in order.
pub(crate) trait Sink {
    /// A start tag, which stands at byte `at` of the page. Returns whether it opened an element, so that what follows
    /// is the content of it.
    fn start(&mut self, tag: &Tag, at: usize) -> bool;
    /// An end tag.
    fn end(&mut self, name: &[u8]);
    /// Text, with character references resolved, and the bytes of the page that it stands at.
    fn text(&mut self, text: &str, at: Range<usize>);
}

/// Hands every token of `page` to `sink`. In XML, names may have a prefix.
pub(crate) fn read(page: &str, is_xml: bool, sink: &mut impl Sink) {
    let events = Events { sink, is_xml, tag: Tag::default(), is_value_wanted: false, content: None };
    let Ok(()) = Tokenizer::new_with_emitter(page, Pages(CallbackEmitter::new(events))).finish();
}

struct Events<'s, S> {
    sink: &'s mut S,
    is_xml: bool,
    tag: Tag,
    is_value_wanted: bool,
    /// How the content of the start tag that was just read is to be read, where that is not as usual.
    content: Option<State>,
}

impl<S> Events<'_, S> {
    fn local<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        let prefix = name.iter().position(|&byte| byte == b':').filter(|_| self.is_xml);
        prefix.map_or(name, |colon| &name[colon + 1..])
    }
}

impl<S: Sink> Callback<Infallible, usize> for Events<'_, S> {
    fn handle_event(&mut self, event: CallbackEvent<'_>, span: Span<usize>) -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                let name = self.local(name);
                self.tag.begin(name);
            }
            CallbackEvent::AttributeName { name } => self.is_value_wanted = self.tag.add(name),
            CallbackEvent::AttributeValue { value } => {
                if std::mem::take(&mut self.is_value_wanted) {
                    self.tag.set_value(value);
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                self.tag.is_closed = self_closing;
                self.content = if self.sink.start(&self.tag, span.start) { content_of(&self.tag.name) } else { None };
            }
            CallbackEvent::EndTag { name } => self.sink.end(self.local(name)),
            CallbackEvent::String { value } => {
                self.sink.text(&String::from_utf8_lossy(value), span.start..span.end.max(span.start));
            }
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
        None
    }
}

/// In some elements, tags are characters until the end tag of the element comes.
fn content_of(name: &[u8]) -> Option<State> {
    match name {
        b"textarea" | b"title" => Some(State::RcData),
        b"plaintext" => Some(State::PlainText),
        b"script" => Some(State::ScriptData),
        b"style" | b"iframe" | b"xmp" | b"noembed" | b"noscript" => Some(State::RawText),
        _ => None,
    }
}

/// The emitter of the library, which leaves two decisions to a builder of trees.
struct Pages<'s, S: Sink>(CallbackEmitter<Events<'s, S>, Infallible, usize>);

impl<S: Sink> ForwardingEmitter for Pages<'_, S> {
    type Token = Infallible;

    fn inner(&mut self) -> &mut impl Emitter<Token = Infallible> {
        &mut self.0
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        // The library goes by the name alone; but `<script/>` has no content in XML and in drawings.
        let _ = self.0.emit_current_tag();
        let state = self.0.callback_mut().content.take();
        if state.is_some() {
            self.0.init_string();
        }
        state
    }

    /// In HTML a CDATA section is a comment up to the first `>` and what follows is shown. That serves nobody: it is text.
    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Log(Vec<String>);

    impl Sink for Log {
        fn start(&mut self, tag: &Tag, at: usize) -> bool {
            self.0.push(format!("<{}>{at}", String::from_utf8_lossy(&tag.name)));
            !tag.is_closed
        }

        fn end(&mut self, name: &[u8]) {
            self.0.push(format!("</{}>", String::from_utf8_lossy(name)));
        }

        fn text(&mut self, text: &str, at: Range<usize>) {
            self.0.push(format!("{text}@{at:?}"));
        }
    }

    fn tokens(page: &str, is_xml: bool) -> Vec<String> {
        let mut log = Log::default();
        read(page, is_xml, &mut log);
        log.0
    }

    #[test]
    fn tags_and_text_with_their_places() {
        assert_eq!(
            tokens("<!doctype html><P a=1>x &amp; é</P><!-- c -->y", false),
            ["<p>21", "x & é@22..32", "</p>", "y@46..47"]
        );
    }

    #[test]
    fn scripts_and_titles_hold_no_tags() {
        assert_eq!(
            tokens("<script>a<b></script><title>c<d>&lt;</title>", false),
            ["<script>7", "a<b>@8..12", "</script>", "<title>27", "c<d><@28..36", "</title>"]
        );
        assert_eq!(tokens("<script/>a<b>", true), ["<script>8", "a@9..10", "<b>12"]);
    }

    #[test]
    fn character_data_is_text() {
        assert_eq!(tokens("<p><![CDATA[a<b>&amp;]]>c", true), ["<p>2", "a<b>&amp;c@3..25"]);
    }

    #[test]
    fn prefixes_of_xml_names() {
        assert_eq!(tokens("<x:p>a</x:p>", true), ["<p>4", "a@5..6", "</p>"]);
        assert_eq!(tokens("<o:p>", false), ["<o:p>4"]);
    }
}
