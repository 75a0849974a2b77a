import SwiftSyntax

extension KeyedMember {
  /// The properties of a declaration that key-value coding may find, or of which only the key paths need names.
  ///
  /// Key-value coding finds a property without `@objc` only if its getter is in the source, because without
  /// Objective-C the compiler rejects the attribute. A stored property is not included, because macros and
  /// wrappers may change it in unknown ways.
  static func properties(
    of syntax: VariableDeclSyntax,
    attributes: DeclarationAttributes,
    in parent: Declaration,
    conditions: [String]
  ) -> [KeyedMember] {
    if attributes.isManaged {
      return scalars(of: syntax, attributes: attributes, conditions: conditions)
        + names(of: syntax, attributes: attributes, conditions: conditions)
    }
    // An override of an `@NSManaged` property is as visible as that property.
    let isShown = isShown(attributes, in: parent) || syntax.modifiers.contains { $0.name.text == "override" }
    guard isCandidate(attributes, modifiers: syntax.modifiers), isShown || !attributes.hasUnknown else { return [] }
    return syntax.bindings.compactMap { binding in
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.bareText,
        let access = PropertyAccess(binding: binding, declaration: syntax)
      else { return nil }
      let isFound = isShown || access.isComputed
      return KeyedMember(
        kind: isFound ? .property(isSettable: access.isSettable && !attributes.hasUnknown) : .named,
        name: name,
        key: attributes.name ?? name,
        isShown: isShown,
        conditions: conditions,
        isDeprecated: attributes.isDeprecated
      )
    }
  }

  /// The properties with `@NSManaged` whose type is not optional.
  private static func scalars(
    of syntax: VariableDeclSyntax,
    attributes: DeclarationAttributes,
    conditions: [String]
  ) -> [KeyedMember] {
    syntax.bindings.compactMap { binding in
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.bareText,
        let type = binding.typeAnnotation?.type.trimmedDescription, scalarTypes.contains(type)
      else { return nil }
      return KeyedMember(
        kind: .scalar,
        name: name,
        key: name,
        isShown: true,
        conditions: conditions + attributes.managedConditions,
        isDeprecated: attributes.isDeprecated
      )
    }
  }

  /// The properties with `@NSManaged`. A name with the prefix `primitive` may mean another property and is skipped.
  private static func names(
    of syntax: VariableDeclSyntax,
    attributes: DeclarationAttributes,
    conditions: [String]
  ) -> [KeyedMember] {
    guard isCandidate(attributes, modifiers: syntax.modifiers), !attributes.hasUnknown else { return [] }
    return syntax.bindings.compactMap { binding in
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.bareText,
        !name.hasPrefix("primitive")
      else { return nil }
      return KeyedMember(
        kind: .named,
        name: name,
        key: name,
        isShown: true,
        conditions: conditions,
        isDeprecated: attributes.isDeprecated
      )
    }
  }

  private static let scalarTypes: Set = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Float",
    "Double",
    "CGFloat", "TimeInterval",
  ]

  /// Makes a member of a method that key-value coding or validation may find; `nil` for all other methods.
  init?(
    syntax: FunctionDeclSyntax,
    attributes: DeclarationAttributes,
    in parent: Declaration,
    conditions: [String]
  ) {
    let isOfType = syntax.modifiers.contains { ["static", "class"].contains($0.name.text) }
    let signature = syntax.signature
    guard Self.isCandidate(attributes, modifiers: syntax.modifiers, mayBeOfType: true),
      !attributes.hasUnknown,
      syntax.genericParameterClause == nil, syntax.genericWhereClause == nil,
      signature.effectSpecifiers?.asyncSpecifier == nil
    else { return nil }
    let parameters = signature.parameterClause.parameters
    let isThrowing = signature.effectSpecifiers?.throwsClause != nil
    let result = signature.returnClause?.type.trimmedDescription
    isShown = Self.isShown(attributes, in: parent)
    name = syntax.name.bareText
    let written = attributes.name ?? name
    switch (isOfType, parameters.count) {
    case (false, 0) where isShown && !isThrowing && result != nil && result != "Void" && result != "()":
      kind = .method
      key = written
    case (false, 1) where isThrowing && result == nil:
      let type = parameters.first?.type.trimmedDescription ?? ""
      guard parameters.first?.firstName.text == "_", type.hasSuffix("UnsafeMutablePointer<AnyObject?>"),
        let rest = Self.rest(of: written, after: "validate")
      else { return nil }
      kind = .validation
      key = rest
    case (true, 0) where !isThrowing && result == "Set<String>":
      guard let rest = Self.rest(of: written, after: "keyPathsForValuesAffecting") else { return nil }
      kind = .affectingKeyPaths
      key = rest
    default: return nil
    }
    self.conditions = conditions
    isDeprecated = attributes.isDeprecated
  }

  private static func rest(of name: String, after prefix: String) -> String? {
    name.hasPrefix(prefix) && name.count > prefix.count ? String(name.dropFirst(prefix.count)) : nil
  }

  private static func isShown(_ attributes: DeclarationAttributes, in parent: Declaration) -> Bool {
    attributes.visibility == .shown || attributes.visibility == .unstated && parent.showsMembers
  }

  private static func isCandidate(
    _ attributes: DeclarationAttributes,
    modifiers: DeclModifierListSyntax,
    mayBeOfType: Bool = false
  ) -> Bool {
    if attributes.isUnavailable || attributes.visibility == .hidden { return false }
    return modifiers.allSatisfy { modifier in
      switch modifier.name.text {
      case "private", "fileprivate": modifier.detail != nil
      case "static", "class": mayBeOfType
      default: true
      }
    }
  }
}

/// The access to a property from another file, for reading and writing.
private struct PropertyAccess {
  let isComputed: Bool
  let isSettable: Bool

  /// The access; `nil` for a property that a plain expression cannot read.
  init?(binding: PatternBindingSyntax, declaration: VariableDeclSyntax) {
    let hidesSetter = declaration.modifiers.contains { modifier in
      modifier.detail != nil && AccessLevel(word: modifier.name.text)?.isPrivate == true
    }
    let isConstant = declaration.bindingSpecifier.text == "let"
    switch binding.accessorBlock?.accessors {
    case nil:
      isComputed = false
      isSettable = !isConstant && !hidesSetter
    case .getter?:
      isComputed = true
      isSettable = false
    case .accessors(let accessors)?:
      let words = Set(accessors.map(\.accessorSpecifier.text))
      if accessors.contains(where: { $0.effectSpecifiers != nil }) { return nil }
      let isObserved = words.isSubset(of: ["willSet", "didSet"])
      isComputed = !isObserved
      isSettable = !hidesSetter && (isObserved || !words.isDisjoint(with: ["set", "_modify", "modify"]))
    }
  }
}

extension DeclarationAttributes {
  /// The name in `@objc(…)`, without the labels of parameters.
  fileprivate var name: String? { selector.map { String($0.prefix { $0 != ":" }) } }

  fileprivate var isDeprecated: Bool { availability.contains { $0.contains("deprecated") } }
}
