import Mustache
import Texts

/// The values of a template, each of which a template can only get in a form that is safe to stand in
/// markup.
///
/// Texts are escaped here, by characters of Unicode, and templates name them with three braces: the
/// library's own escaping goes by what a reader takes for one character, and leaves a quotation mark
/// with an accent as it is.
struct TemplateFields: MustacheParent, ExpressibleByDictionaryLiteral {
  private var values: [String: Any]

  init(dictionaryLiteral elements: (String, (any TemplateValue)?)...) {
    // A name without a value is not looked for in the fields outside.
    values = Dictionary(elements.map { ($0, $1?.inTemplate ?? false) }, uniquingKeysWith: { $1 })
  }

  subscript(name: String) -> (any TemplateValue)? {
    get { nil }
    set { values[name] = newValue?.inTemplate ?? false }
  }

  func child(named name: String) -> Any? { values[name] }

  /// The same fields with others, which count where both have a name.
  func merging(_ others: TemplateFields) -> TemplateFields {
    var merged = self
    merged.values.merge(others.values) { $1 }
    return merged
  }
}

/// A value that a template can be given.
protocol TemplateValue {
  var inTemplate: Any { get }
}

extension String: TemplateValue {
  var inTemplate: Any { EscapedText(self) }
}

extension Int: TemplateValue {
  var inTemplate: Any { EscapedText(String(self)) }
}

extension Bool: TemplateValue {
  var inTemplate: Any { self }
}

extension TemplateFields: TemplateValue {
  var inTemplate: Any { self }
}

extension [TemplateFields]: TemplateValue {
  var inTemplate: Any { self }
}

extension EscapedText: TemplateValue {
  var inTemplate: Any { self }
}

/// A text that can stand in markup, between tags and in quoted attributes.
struct EscapedText: MustacheCustomRenderable, MustacheParent, Sendable {
  let renderText: String
  var isNull: Bool { false }

  /// Escapes a text. The only control characters that markup may have are white space; a parser replaces NUL.
  init(_ text: String) {
    let escaped = text.escapedForMarkup
    renderText = escaped.utf8.contains(0) ? escaped.replacing("\0", with: "\u{FFFD}") : escaped
  }

  /// Takes markup that this module has made, such as a picture without texts of a store.
  init(markup: String) { renderText = markup }

  func child(named name: String) -> Any? { nil }
}
