/// The reason that a type in a source cannot be resolved.
struct UnresolvedType: Error {
  enum Reason {
    /// No declaration of that name is visible.
    case unknown(String)
    /// The module is imported, but its sources are not available.
    case opaqueModule(String)
    /// The name of a generic parameter.
    case genericParameter(String)
    /// A generic type without its arguments, or nested in another generic type.
    case generic(String)
    /// A kind of type that an attribute or relationship cannot have.
    case unsupported(String)
    /// A type that is private to its file.
    case hidden(String)
    /// A method that has no meaning in Core Data.
    case unknownMethod(String)
  }

  var reason: Reason

  init(_ reason: Reason) { self.reason = reason }

  /// True when the author can solve the problem by writing the accessors.
  var isCuredByHand: Bool {
    switch reason {
    case .hidden, .unknownMethod: false
    default: true
    }
  }

  /// The problem, as the middle part of a sentence.
  var explanation: String {
    switch reason {
    case .unknown(let name):
      """
      no type '\(name)' is declared in the sources of this target, of the targets that it depends on, or in \
      Foundation
      """
    case .opaqueModule(let name): "the sources of module '\(name)' are not available"
    case .genericParameter(let name): "'\(name)' is a generic parameter"
    case .generic(let name): "the generic arguments of '\(name)' are not written out"
    case .unsupported(let text): "'\(text)' is not a type that an attribute or a relationship can have"
    case .hidden(let name):
      "'\(name)' is private to its file, and accessors are generated in another; declare it without 'private'"
    case .unknownMethod(let text):
      """
      Core Data has no accessor '\(text)'; there are addToTags(_:), removeFromTags(_:), insertIntoTags(_:at:), \
      removeFromTags(at:), replaceTags(at:with:) and intersectTags(_:) for a relationship 'tags'
      """
    }
  }
}

extension TypeExpression {
  /// The type, approximately as the source writes it.
  var text: String {
    switch self {
    case .name(let name): name.text
    case .member(let base, let name): "\(base.text).\(name.text)"
    case .composition(let parts): parts.map(\.text).joined(separator: " & ")
    case .tuple(let elements):
      "(" + elements.map { ($0.label.map { "\($0): " } ?? "") + $0.type.text }.joined(separator: ", ") + ")"
    case .metatype(let type): "\(type.text).Type"
    case .unsupported(let text): text
    }
  }
}

extension TypeExpression.Name {
  var text: String { arguments.isEmpty ? name : "\(name)<\(arguments.map(\.text).joined(separator: ", "))>" }
}
