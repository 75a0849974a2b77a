/// A property or a method with `@NSManaged`.
struct ManagedMember {
  enum Kind {
    /// A property, with its type also as it is written.
    case property(TypeExpression?, text: String)
    case method(parameters: [Parameter], result: TypeExpression)
  }

  struct Parameter {
    /// The label; `nil` for `_`.
    var label: String?
    var type: TypeExpression
  }

  var kind: Kind
  var name: String
  /// The access that is written in front of it.
  var writtenAccess: AccessLevel?
  /// Whether code that is compiled into other modules may use it.
  var isUsableFromInline: Bool
  /// The Objective-C name of `@objc(…)`.
  var selector: String?
  /// The conditions of compilation inside the type around it that only the compiler can decide.
  var conditions: [String]
  var availability: [String]
  var position: SourcePosition
  /// A method as it is written, for messages.
  var text = ""
}
