/// A type, a type alias or an extension in a source file, with its members.
final class Declaration {
  enum Role {
    case type(NominalType.Kind)
    case alias(TypeExpression)
    case `extension`(TypeExpression)
  }

  let role: Role
  /// The name; empty for extensions.
  let name: String
  unowned let file: SourceFile
  /// The enclosing declaration; `nil` at the top of the file.
  private(set) unowned var parent: Declaration?
  let position: SourcePosition
  /// The access level that the source writes before the declaration.
  let writtenAccess: AccessLevel?
  let genericParameters: [String]
  /// True when an extension applies to some generic arguments only.
  let isConstrained: Bool
  /// The types after the colon.
  let inherited: [TypeExpression]
  /// The conditions of `#if` around the declaration that only the compiler can evaluate.
  let conditions: [String]
  /// The `@available` attributes. The accessors repeat them, so that they may use the same declarations.
  let availability: [String]

  /// True when the Objective-C runtime, if there is one, sees all members.
  let showsMembers: Bool

  private(set) var members: [Declaration] = []
  var managedMembers: [ManagedMember] = []
  /// The members of a managed object class that key-value coding may find by name.
  var keyedMembers: [KeyedMember] = []
  /// True when the declaration has an unknown attribute, which may be a macro or a global actor.
  let hasUnknownAttribute: Bool
  /// True when the class declares a designated initializer, so that it does not inherit its superclass's.
  var declaresInitializer = false
  /// The positions of overrides in an extension, which need Objective-C.
  var overrides: [SourcePosition] = []
  /// True when `validateValue(_:forKey:)` is overridden.
  var checksValues = false

  init(
    _ role: Role,
    name: String,
    file: SourceFile,
    parent: Declaration?,
    position: SourcePosition,
    heading: DeclarationHeading
  ) {
    self.role = role
    self.name = name
    self.file = file
    self.parent = parent
    self.position = position
    writtenAccess = heading.access
    genericParameters = heading.genericParameters
    isConstrained = heading.isConstrained
    inherited = heading.inherited
    conditions = heading.conditions
    availability = heading.availability
    showsMembers = heading.showsMembers
    hasUnknownAttribute = heading.hasUnknownAttribute
  }

  func add(_ member: Declaration) { members.append(member) }
}

/// The part of a declaration before its braces.
struct DeclarationHeading {
  var access: AccessLevel?
  var genericParameters: [String] = []
  var isConstrained = false
  var inherited: [TypeExpression] = []
  var conditions: [String] = []
  var availability: [String] = []
  var showsMembers = false
  var hasUnknownAttribute = false
}

extension Declaration {
  /// The access level by the language's rules, without the limits of the enclosing types.
  var access: AccessLevel { writtenAccess ?? parent?.accessOfMembers ?? .internal }

  /// The default access level of members. Extensions and protocols pass on their own level.
  var accessOfMembers: AccessLevel {
    switch role {
    case .extension: writtenAccess ?? .internal
    case .type(.protocol): access
    case .type, .alias: .internal
    }
  }

  /// The conditions of `#if` around the declaration and the enclosing ones.
  var allConditions: [String] { (parent?.allConditions ?? []) + conditions }

  /// The `@available` attributes of the declaration and the enclosing ones.
  var allAvailability: [String] { (parent?.allAvailability ?? []) + availability }

  /// All generic parameters that are visible in the declaration.
  var visibleGenericParameters: [String] { genericParameters + (parent?.visibleGenericParameters ?? []) }
}

/// A position in a source file. Lines and columns count from 1.
package struct SourcePosition: Hashable, Sendable {
  package var line: Int
  package var column: Int
}

/// The access levels, from the narrowest to the widest.
enum AccessLevel: Int, Comparable, Hashable, Sendable {
  case `private`, `fileprivate`, `internal`, package, `public`, open

  init?(word: String) {
    switch word {
    case "private": self = .private
    case "fileprivate": self = .fileprivate
    case "internal": self = .internal
    case "package": self = .package
    case "public": self = .public
    case "open": self = .open
    default: return nil
    }
  }

  static func < (one: AccessLevel, other: AccessLevel) -> Bool { one.rawValue < other.rawValue }

  /// True when only the declaration's own file can see it.
  var isPrivate: Bool { self <= .fileprivate }
}

/// A property or a method with `@NSManaged`.
struct ManagedMember {
  enum Kind {
    /// A property, with its type also as the source writes it.
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
  /// The access level that the source writes before the member.
  var writtenAccess: AccessLevel?
  /// True when inlined code in other modules may use the member.
  var isUsableFromInline: Bool
  /// The Objective-C name in `@objc(…)`.
  var selector: String?
  /// The conditions of `#if` inside the enclosing type that only the compiler can evaluate.
  var conditions: [String]
  var availability: [String]
  var position: SourcePosition
  /// The source text of a method, for messages.
  var text = ""
}
