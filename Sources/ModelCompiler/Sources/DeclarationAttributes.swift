import SwiftSyntax

/// The meaning of the attributes before a declaration, including those between `#if` and `#endif`.
struct DeclarationAttributes {
  private(set) var isManaged = false
  /// The conditions of `#if` around `@NSManaged` itself.
  private(set) var managedConditions: [String] = []
  /// The Objective-C name, which states the operation of a method. It applies even if only Apple's
  /// platforms compile the attribute.
  private(set) var selector: String?
  private(set) var availability: [String] = []
  /// True when `@usableFromInline` lets inlined code in other modules use the declaration.
  private(set) var isUsableFromInline = false
  /// The declared visibility to the Objective-C runtime. It applies even if only Apple's platforms compile the attributes.
  private(set) var visibility = Visibility.unstated
  /// True when `@objcMembers` makes all members of a class visible.
  private(set) var showsMembers = false
  /// True when no code may use the declaration.
  private(set) var isUnavailable = false
  /// True when there is an unknown attribute, which may be a macro, a property wrapper or a global actor.
  private(set) var hasUnknown = false

  enum Visibility {
    case unstated, shown, hidden
  }

  init(_ attributes: AttributeListSyntax) { collect(attributes, isCompiled: true, conditions: []) }

  private mutating func collect(_ list: AttributeListSyntax, isCompiled: Bool, conditions: [String]) {
    for element in list {
      switch element {
      case .attribute(let attribute): collect(attribute, isCompiled: isCompiled, conditions: conditions)
      case .ifConfigDecl(let block): collect(block, isCompiled: isCompiled, conditions: conditions)
      }
    }
  }

  private mutating func collect(_ block: IfConfigDeclSyntax, isCompiled: Bool, conditions: [String]) {
    if isCompiled {
      for branch in ConditionalBranch.branches(of: block) {
        guard case .attributes(let list) = branch.elements else { continue }
        collect(list, isCompiled: true, conditions: conditions + branch.conditions)
      }
    }
    for clause in block.clauses {
      guard case .attributes(let list)? = clause.elements else { continue }
      collect(list, isCompiled: false, conditions: [])
    }
  }

  private mutating func collect(_ attribute: AttributeSyntax, isCompiled: Bool, conditions: [String]) {
    switch attribute.attributeName.trimmedDescription {
    case "NSManaged" where isCompiled:
      isManaged = true
      managedConditions = conditions
    case "objc", "IBInspectable", "IBAction", "IBOutlet":
      selector = attribute.arguments?.trimmedDescription ?? selector
      visibility = .shown
    case "objcMembers": showsMembers = true
    case "nonobjc": visibility = .hidden
    case "usableFromInline" where isCompiled: isUsableFromInline = true
    case "available" where isCompiled && conditions.isEmpty:
      availability.append(attribute.trimmedDescription)
      if attribute.arguments?.trimmedDescription.contains("unavailable") == true { isUnavailable = true }
    case let name where isCompiled && !Self.harmless.contains(name): hasUnknown = true
    default: break
    }
  }

  /// The attributes that do not affect how a member is read and written.
  private static let harmless: Set = [
    "NSManaged", "available", "usableFromInline", "inlinable", "inline", "discardableResult", "NSCopying",
  ]
}
