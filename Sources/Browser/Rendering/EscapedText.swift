import Mustache
import Texts

/// A text that is safe in markup, between tags and in quoted attributes.
///
/// Texts are escaped here, by Unicode scalars, and templates insert them with three braces. The template library's
/// own escaping works on `Character` values, so it does not escape a quotation mark with an accent.
struct EscapedText: MustacheCustomRenderable, MustacheParent, TemplateValue, Encodable {
  let renderText: String
  var isNull: Bool { false }
  var inTemplate: Any { self }

  /// Escapes a text. NUL is replaced, because an HTML parser replaces it too.
  init(_ text: String) {
    let escaped = text.escapedForMarkup
    renderText = escaped.utf8.contains(0) ? escaped.replacing("\0", with: "\u{FFFD}") : escaped
  }

  /// Wraps markup that this module has made, such as a picture of the model.
  init(markup: String) { renderText = markup }

  func child(named name: String) -> Any? { nil }
}
