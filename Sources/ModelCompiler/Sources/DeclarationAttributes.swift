import SwiftSyntax

/// What the attributes in front of a declaration say, those between `#if` and `#endif` included.
struct DeclarationAttributes {
  private(set) var isManaged = false
  /// The conditions around `@NSManaged` itself.
  private(set) var managedConditions: [String] = []
  /// The Objective-C name, also where only Apple's platforms compile it: it says what a method is for.
  private(set) var selector: String?
  private(set) var availability: [String] = []
  /// Whether `@usableFromInline` lets code use it that is compiled into other modules.
  private(set) var isUsableFromInline = false

  init(_ attributes: AttributeListSyntax) {
    collect(attributes, isCompiled: true, conditions: [])
  }

  private mutating func collect(_ list: AttributeListSyntax, isCompiled: Bool, conditions: [String]) {
    for element in list {
      switch element {
      case .attribute(let attribute): collect(attribute, isCompiled, conditions)
      case .ifConfigDecl(let block): collect(block, isCompiled, conditions)
      }
    }
  }

  private mutating func collect(_ block: IfConfigDeclSyntax, _ isCompiled: Bool, _ conditions: [String]) {
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

  private mutating func collect(_ attribute: AttributeSyntax, _ isCompiled: Bool, _ conditions: [String]) {
    switch attribute.attributeName.trimmedDescription {
    case "NSManaged" where isCompiled:
      isManaged = true
      managedConditions = conditions
    case "objc":
      selector = attribute.arguments?.trimmedDescription ?? selector
    case "usableFromInline" where isCompiled: isUsableFromInline = true
    case "available" where isCompiled && conditions.isEmpty:
      availability.append(attribute.trimmedDescription)
    default: break
    }
  }
}
