/// The typed values of a template or of a section: each member is a name that the template uses.
///
/// An absent value is `nil`. The template then gets `false`, so that it does not use a value of an outer scope.
protocol TemplateFields: Encodable, TemplateValue {}

extension TemplateFields {
  var inTemplate: Any { TemplateMembers(self) }
}

/// The values that a template is rendered with.
protocol TemplateContext: TemplateFields {
  /// The name of the template.
  static var template: String { get }
}

/// The values of a page's template, which also uses those of the frame.
protocol PageFields: TemplateContext {
  /// The name of a template that a script loads alone, without the frame; by default that of the page.
  static var part: String { get }
}

extension PageFields {
  static var part: String { template }
}
