import SwiftSyntax

/// A type as the source writes it, before names are resolved.
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
  /// A type in another type or in a module, such as `Note.Kind` or `Foundation.Date`.
  case member(TypeExpression, Name)
  /// A composition: `any P & Q`, or just `P & Q`.
  case composition([TypeExpression])
  case tuple([Element])
  /// A metatype, such as `Note.Type`.
  case metatype(TypeExpression)
  /// A type that a property of a managed object cannot have, as the source writes it.
  case unsupported(String)

  static func optional(_ wrapped: TypeExpression) -> TypeExpression { standard("Optional", arguments: [wrapped]) }

  /// A type of the standard library. The module name keeps other declarations from hiding it.
  static func standard(_ name: String, arguments: [TypeExpression]) -> TypeExpression {
    .member(.name(Name(name: "Swift")), Name(name: name, arguments: arguments))
  }
}

extension TypeExpression {
  init(_ syntax: TypeSyntax) {
    if let type = syntax.as(IdentifierTypeSyntax.self) {
      self = .name(Name(token: type.name, arguments: type.genericArgumentClause))
    } else if let type = syntax.as(MemberTypeSyntax.self) {
      self = Self.member(of: type)
    } else if let type = syntax.as(OptionalTypeSyntax.self) {
      self = .optional(TypeExpression(type.wrappedType))
    } else if let type = syntax.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      self = .optional(TypeExpression(type.wrappedType))
    } else if let type = syntax.as(ArrayTypeSyntax.self) {
      self = .standard("Array", arguments: [TypeExpression(type.element)])
    } else if let type = syntax.as(DictionaryTypeSyntax.self) {
      self = .standard("Dictionary", arguments: [TypeExpression(type.key), TypeExpression(type.value)])
    } else if let type = syntax.as(CompositionTypeSyntax.self) {
      self = .composition(type.elements.map { TypeExpression($0.type) })
    } else if let type = syntax.as(SomeOrAnyTypeSyntax.self), type.someOrAnySpecifier.text == "any" {
      self = TypeExpression(type.constraint)
    } else if let type = syntax.as(TupleTypeSyntax.self) {
      self = Self.tuple(of: type)
    } else if let type = syntax.as(MetatypeTypeSyntax.self) {
      self = Self.metatype(of: TypeExpression(type.baseType), word: type.metatypeSpecifier.text, syntax: syntax)
    } else {
      self = .unsupported(syntax.trimmedDescription)
    }
  }

  private static func member(of type: MemberTypeSyntax) -> TypeExpression {
    let base = TypeExpression(type.baseType)
    let name = Name(token: type.name, arguments: type.genericArgumentClause)
    if name.arguments.isEmpty, ["Type", "Protocol"].contains(name.name) {
      return metatype(of: base, word: name.name, syntax: TypeSyntax(type))
    }
    return .member(base, name)
  }

  private static func metatype(of base: TypeExpression, word: String, syntax: TypeSyntax) -> TypeExpression {
    word == "Type" ? .metatype(base) : .unsupported(syntax.trimmedDescription)
  }

  /// The type of a tuple. A single type in parentheses is just that type.
  private static func tuple(of type: TupleTypeSyntax) -> TypeExpression {
    let elements = type.elements.map { element in
      Element(label: label(element.firstName), type: TypeExpression(element.type))
    }
    if elements.count == 1, elements[0].label == nil { return elements[0].type }
    return .tuple(elements)
  }

  private static func label(_ token: TokenSyntax?) -> String? {
    guard let token, token.text != "_" else { return nil }
    return token.bareText
  }
}

extension TypeExpression.Name {
  init(token: TokenSyntax, arguments: GenericArgumentClauseSyntax?) {
    name = token.bareText
    // The syntax kind of a generic argument differs between versions of swift-syntax. Its only child does not.
    self.arguments = (arguments?.arguments ?? []).map { argument in
      let type = argument.children(viewMode: .sourceAccurate).first.flatMap { TypeSyntax($0) }
      return type.map { TypeExpression($0) } ?? .unsupported(argument.trimmedDescription)
    }
  }
}

extension TokenSyntax {
  /// The name without backticks.
  var bareText: String {
    let text = text
    guard text.count > 2, text.hasPrefix("`"), text.hasSuffix("`") else { return text }
    return String(text.dropFirst().dropLast())
  }
}
