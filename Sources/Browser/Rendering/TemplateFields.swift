import Mustache
import Texts

/// The values of a template. A template receives each value only in a form that is safe in markup.
///
/// Texts are escaped here, by Unicode scalars, and templates insert them with three braces. The template library's
/// own escaping works on `Character` values, so it does not escape a quotation mark with an accent.
struct TemplateFields: MustacheParent, ExpressibleByDictionaryLiteral {
  private var values: [String: Any]

  init(dictionaryLiteral elements: (String, (any TemplateValue)?)...) {
    // A name without a value gets `false`, so that the template does not use a value of an outer scope.
    values = Dictionary(elements.map { ($0, $1?.inTemplate ?? false) }, uniquingKeysWith: { $1 })
  }

  subscript(name: String) -> (any TemplateValue)? {
    get { nil }
    set { values[name] = newValue?.inTemplate ?? false }
  }

  func child(named name: String) -> Any? { values[name] }

  /// Returns these fields merged with others, which have priority.
  func merging(_ others: TemplateFields) -> TemplateFields {
    var merged = self
    merged.values.merge(others.values) { $1 }
    return merged
  }
}

/// A value that can be passed to a template.
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

/// A text that is safe in markup, between tags and in quoted attributes.
struct EscapedText: MustacheCustomRenderable, MustacheParent, Sendable {
  let renderText: String
  var isNull: Bool { false }

  /// Escapes a text. NUL is replaced, because an HTML parser replaces it too.
  init(_ text: String) {
    let escaped = text.escapedForMarkup
    renderText = escaped.utf8.contains(0) ? escaped.replacing("\0", with: "\u{FFFD}") : escaped
  }

  /// Wraps markup that this module has made, such as a picture of the model.
  init(markup: String) { renderText = markup }

  func child(named name: String) -> Any? { nil }
}
