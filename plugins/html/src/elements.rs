//! What the elements of HTML mean for a text.

/// An element, as far as the text is concerned, or a run of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    /// No element: characters.
    Text,
    /// `h1` to `h6`.
    Heading(u8),
    /// `p`.
    Paragraph,
    /// Any other box that begins on a line of its own.
    Division,
    /// A box with a header and a footer of its own.
    Section,
    /// `header`: of the page or of an article.
    Header,
    /// `footer`: of the page or of an article.
    Footer,
    /// `aside`.
    Aside,
    /// `nav`.
    Nav,
    /// `main`.
    Main,
    /// `article`.
    Article,
    /// `ul` and its kin.
    List,
    /// `ol`.
    OrderedList,
    /// `li`.
    Item,
    /// `dl`.
    Definitions,
    /// `dt` and `dd`.
    Definition,
    /// `table`.
    Table,
    /// `tbody` and `tfoot`.
    RowGroup,
    /// `thead`.
    HeaderRows,
    /// `tr`.
    Row,
    /// `td`.
    Cell,
    /// `th`.
    HeaderCell,
    /// `caption`.
    Caption,
    /// `pre` and its obsolete kin.
    Preformatted,
    /// `blockquote`.
    Quote,
    /// `br`.
    Break,
    /// `hr`.
    Rule,
    /// `a`.
    Anchor,
    /// `img`.
    Image,
    /// `button`.
    Button,
    /// `sup`.
    Superscript,
    /// `ruby`.
    Ruby,
    /// `rt`: how the characters before it are read.
    Reading,
    /// `svg`.
    Drawing,
    /// `text` in a drawing: words apart from those around them.
    Label,
    /// An element that only styles its text, or that nobody knows.
    Inline,
    /// `title`: shown, but not in the page.
    Title,
    /// Text of it is never shown.
    Hidden,
    /// `dialog`: shown only once it is opened.
    Dialog,
    /// `html`, `head` and `body`: their tags may be missing or stand anywhere, so they enclose nothing here.
    Document,
    /// `meta`.
    Meta,
    /// An element that can have no content and shows none.
    Void,
}

impl Element {
    /// The element of that name, in lower case.
    pub(crate) fn of(name: &[u8]) -> Self {
        match name {
            [b'h', level @ b'1'..=b'6'] => Self::Heading(level - b'0'),
            b"p" => Self::Paragraph,
            b"address" | b"center" | b"div" | b"figcaption" | b"form" | b"frameset" | b"hgroup" | b"legend"
            | b"noframes" | b"search" | b"summary" => Self::Division,
            b"section" | b"details" | b"fieldset" | b"figure" => Self::Section,
            b"header" => Self::Header,
            b"footer" => Self::Footer,
            b"aside" => Self::Aside,
            b"nav" => Self::Nav,
            b"main" => Self::Main,
            b"article" => Self::Article,
            b"ul" | b"menu" | b"dir" => Self::List,
            b"ol" => Self::OrderedList,
            b"li" => Self::Item,
            b"dl" => Self::Definitions,
            b"dt" | b"dd" => Self::Definition,
            b"table" => Self::Table,
            b"tbody" | b"tfoot" => Self::RowGroup,
            b"thead" => Self::HeaderRows,
            b"tr" => Self::Row,
            b"td" => Self::Cell,
            b"th" => Self::HeaderCell,
            b"caption" => Self::Caption,
            b"pre" | b"listing" | b"xmp" | b"plaintext" => Self::Preformatted,
            b"blockquote" => Self::Quote,
            b"br" => Self::Break,
            b"hr" => Self::Rule,
            b"a" => Self::Anchor,
            b"img" | b"image" => Self::Image,
            b"button" => Self::Button,
            b"sup" => Self::Superscript,
            b"ruby" => Self::Ruby,
            b"rt" => Self::Reading,
            b"svg" => Self::Drawing,
            b"text" => Self::Label,
            b"title" => Self::Title,
            // `rp` is for browsers that cannot set a reading apart; `annotation` is the source of a formula.
            b"script" | b"style" | b"template" | b"noscript" | b"iframe" | b"noembed" | b"select" | b"textarea"
            | b"datalist" | b"audio" | b"video" | b"canvas" | b"defs" | b"desc" | b"metadata" | b"rp"
            | b"annotation" | b"annotation-xml" => Self::Hidden,
            b"dialog" => Self::Dialog,
            b"html" | b"head" | b"body" => Self::Document,
            b"meta" => Self::Meta,
            b"area" | b"base" | b"basefont" | b"bgsound" | b"col" | b"embed" | b"frame" | b"input" | b"keygen"
            | b"link" | b"param" | b"source" | b"track" | b"wbr" => Self::Void,
            _ => Self::Inline,
        }
    }

    /// Whether no end tag belongs to it, because it has no content.
    pub(crate) const fn is_void(self) -> bool {
        matches!(self, Self::Break | Self::Rule | Self::Image | Self::Meta | Self::Void)
    }

    /// Whether it stands among words and does not begin on a line of its own.
    pub(crate) const fn is_inline(self) -> bool {
        matches!(
            self,
            Self::Text
                | Self::Break
                | Self::Anchor
                | Self::Image
                | Self::Button
                | Self::Superscript
                | Self::Ruby
                | Self::Reading
                | Self::Drawing
                | Self::Label
                | Self::Inline
                | Self::Title
                | Self::Hidden
                | Self::Meta
                | Self::Void
        )
    }

    /// Whether it changes nothing but how its words look, or what they lead to.
    pub(crate) const fn is_style(self) -> bool {
        matches!(self, Self::Anchor | Self::Inline | Self::Superscript | Self::Reading | Self::Label)
    }

    /// Whether an end tag inside it closes nothing outside of it, save those of a table.
    pub(crate) const fn is_barrier(self) -> bool {
        matches!(self, Self::Table | Self::Cell | Self::HeaderCell | Self::Caption)
    }

    /// Whether it groups other elements: menus and banners are made of such.
    pub(crate) const fn is_container(self) -> bool {
        matches!(
            self,
            Self::Division
                | Self::Section
                | Self::Header
                | Self::Footer
                | Self::Aside
                | Self::List
                | Self::OrderedList
                | Self::Definitions
                | Self::Table
                | Self::Paragraph
                | Self::Dialog
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_elements_only_style_their_text() {
        assert_eq!(Element::of(b"my-element"), Element::Inline);
        assert_eq!(Element::of(b"h7"), Element::Inline);
        assert_eq!(Element::of(b""), Element::Inline);
        assert_eq!(Element::of(b"h6"), Element::Heading(6));
    }
}
