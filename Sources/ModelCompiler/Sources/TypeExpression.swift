/// A type as a source writes it, before its names are looked up.
indirect enum TypeExpression: Hashable, Sendable {
  struct Name: Hashable, Sendable {
    var name: String
    var arguments: [TypeExpression] = []
  }

  struct Element: Hashable, Sendable {
    var label: String?
    var type: TypeExpression
  }

  case name(Name)
  /// A type in another type or in a module: `Note.Kind`, `Foundation.Date`.
  case member(TypeExpression, Name)
  /// `any P & Q`, or `P & Q` alone.
  case composition([TypeExpression])
  case tuple([Element])
  /// `Note.Type`
  case metatype(TypeExpression)
  /// What no property of a managed object can have, as it is written.
  case unsupported(String)

  static func optional(_ wrapped: TypeExpression) -> TypeExpression {
    standard("Optional", [wrapped])
  }

  /// A type of the standard library that no declaration of the same name can hide.
  static func standard(_ name: String, _ arguments: [TypeExpression]) -> TypeExpression {
    .member(.name(Name(name: "Swift")), Name(name: name, arguments: arguments))
  }
}
