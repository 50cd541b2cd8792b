//! A model written byte by byte: `onnx.proto3` tells the numbers of the fields.

/// A field that holds bytes: a text or a message.
fn bytes(field: u8, content: &[u8]) -> Vec<u8> {
    assert!(field < 16 && content.len() < 1 << 14, "two bytes of length are enough here");
    let length = [content.len() as u8 & 0x7f | 0x80, (content.len() >> 7) as u8];
    [&[field << 3 | 2], &length[..], content].concat()
}

fn text(field: u8, content: &str) -> Vec<u8> {
    bytes(field, content.as_bytes())
}

/// A field that holds a small number.
fn number(field: u8, value: u8) -> Vec<u8> {
    assert!(value < 128);
    if field < 16 { vec![field << 3, value] } else { vec![(field << 3) | 0x80, field >> 4, value] }
}

const FLOAT: u8 = 1;
const INT64: u8 = 7;

/// An operator with one attribute: a number, or a list of one.
fn node(operator: &str, inputs: &[&str], output: &str, attribute: Option<(&str, u8, bool)>) -> Vec<u8> {
    let mut node: Vec<u8> = inputs.iter().flat_map(|input| text(1, input)).collect();
    node.extend([text(2, output), text(4, operator)].concat());
    if let Some((name, value, is_list)) = attribute {
        let (field, kind) = if is_list { (8, 7) } else { (3, 2) };
        node.extend(bytes(5, &[text(1, name), number(field, value), number(20, kind)].concat()));
    }
    node
}

/// A tensor of two dimensions of any size.
fn tensor(name: &str, element: u8) -> Vec<u8> {
    let dimensions = [bytes(1, &text(2, "rows")), bytes(1, &text(2, "columns"))].concat();
    let kind = [number(1, element), bytes(2, &dimensions)].concat();
    [text(1, name), bytes(2, &bytes(1, &kind))].concat()
}

/// Adds up the numbers of the tokens of type 1.
pub(crate) fn cross_encoder() -> Vec<u8> {
    let graph = [
        bytes(1, &node("Mul", &["input_ids", "token_type_ids"], "passage", None)),
        bytes(1, &node("Cast", &["passage"], "numbers", Some(("to", FLOAT, false)))),
        bytes(1, &node("ReduceSum", &["numbers"], "logits", Some(("axes", 1, true)))),
        text(2, "letters"),
        bytes(11, &tensor("input_ids", INT64)),
        bytes(11, &tensor("token_type_ids", INT64)),
        bytes(12, &tensor("logits", FLOAT)),
    ];
    [number(1, 7), bytes(8, &number(2, 11)), bytes(7, &graph.concat())].concat()
}
