/// A type, a type alias or an extension in a source file, with what is declared in it.
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
  /// The declaration around this one; `nil` at the top of the file.
  private(set) unowned var parent: Declaration?
  let position: SourcePosition
  /// The access that is written in front of the declaration.
  let writtenAccess: AccessLevel?
  let genericParameters: [String]
  /// True when an extension holds for some generic arguments only.
  let isConstrained: Bool
  /// The types behind the colon.
  let inherited: [TypeExpression]
  /// The conditions of compilation around the declaration that only the compiler can decide.
  let conditions: [String]
  /// The `@available` attributes, which the accessors repeat so that they may use what the
  /// declaration may use.
  let availability: [String]

  /// True when the Objective-C runtime sees all members, where there is one.
  let showsMembers: Bool

  private(set) var members: [Declaration] = []
  var managedMembers: [ManagedMember] = []
  /// The members that key-value coding may find by name in a class of managed objects.
  var keyedMembers: [KeyedMember] = []
  /// True when the declaration has an attribute of which nothing is known: a macro, a global actor.
  let hasUnknownAttribute: Bool
  /// True when an initialiser is declared that a class does not inherit.
  var declaresInitializer = false
  /// The overrides in an extension, which need Objective-C.
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

  func add(_ member: Declaration) {
    members.append(member)
  }
}

/// The part of a declaration in front of its braces.
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
  /// The access that the rules of the language give the declaration, the types around it aside.
  var access: AccessLevel { writtenAccess ?? parent?.accessOfMembers ?? .internal }

  /// The access of members that have none written: extensions and protocols pass their own on.
  var accessOfMembers: AccessLevel {
    switch role {
    case .extension: writtenAccess ?? .internal
    case .type(.protocol): access
    case .type, .alias: .internal
    }
  }

  /// The conditions of compilation around the declaration and around those that it is in.
  var allConditions: [String] { (parent?.allConditions ?? []) + conditions }

  /// The `@available` attributes of the declaration and of those that it is in.
  var allAvailability: [String] { (parent?.allAvailability ?? []) + availability }

  /// All generic parameters that can be named in the declaration.
  var visibleGenericParameters: [String] { genericParameters + (parent?.visibleGenericParameters ?? []) }
}

/// A place in a source file: line and column from 1 on.
package struct SourcePosition: Hashable, Sendable {
  package var line: Int
  package var column: Int
}

/// The access to a declaration, from the fewest who may see it on.
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

  /// True when one file alone sees the declaration.
  var isPrivate: Bool { self <= .fileprivate }
}

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
  /// True when code that is compiled into other modules may use it.
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
