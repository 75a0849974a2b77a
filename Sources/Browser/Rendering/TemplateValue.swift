/// A value that can be passed to a template. A template receives each value only in a form that is safe in markup.
protocol TemplateValue {
  var inTemplate: Any { get }
}

extension String: TemplateValue {
  var inTemplate: Any { EscapedText(self) }
}

extension Bool: TemplateValue {
  var inTemplate: Any { self }
}

extension Array: TemplateValue where Element: TemplateValue {
  var inTemplate: Any { map(\.inTemplate) }
}
