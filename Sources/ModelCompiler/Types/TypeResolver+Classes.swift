extension TypeResolver {
  /// The superclass of a class; `nil` when the class has none, or when its name cannot be resolved.
  func superclass(of nominal: NominalType) -> NominalType? {
    for declaration in declarations(of: nominal) {
      let scope = Scope(file: declaration.file, declaration: declaration.parent)
      for inherited in declaration.inherited {
        if let type = try? self.nominal(inherited, in: scope), type.kind == .class { return type }
      }
    }
    return nil
  }

  /// A class and its superclasses up to `NSManagedObject`, as far as they are known.
  func ancestors(of nominal: NominalType) -> [NominalType] {
    var line: [NominalType] = []
    var next: NominalType? = nominal
    while let current = next, !line.contains(current) {
      line.append(current)
      next = current == .managedObject ? nil : superclass(of: current)
    }
    return line
  }

  /// Returns true when a class or one of its superclasses has an unknown attribute, which may be a macro or a global actor.
  func hasUnknownAttribute(_ nominal: NominalType) -> Bool {
    ancestors(of: nominal).filter { $0 != .managedObject }.flatMap(declarations(of:)).contains {
      if case .type = $0.role { $0.hasUnknownAttribute } else { false }
    }
  }

  /// Returns true for a managed object class; `nil` when a superclass is unknown.
  func isManagedObject(_ nominal: NominalType) -> Bool? {
    var visited: Set<NominalType> = []
    var current = nominal
    while visited.insert(current).inserted {
      if current == .managedObject { return true }
      if let next = superclass(of: current) {
        current = next
      } else {
        let declarations = declarations(of: current)
        return declarations.isEmpty || declarations.contains { !$0.inherited.isEmpty } ? nil : false
      }
    }
    return nil
  }

  /// Returns true when a class or one of its superclasses conforms to `Identifiable` in the target's sources.
  func isIdentifiable(_ nominal: NominalType) -> Bool {
    let files = ((try? module.files.get()) ?? []).filter(\.mentionsIdentifiable)
    let extensions = files.flatMap(\.contents.declarations).filter { declaration in
      guard case .extension = declaration.role else { return false }
      return declaration.inheritsIdentifiable
    }
    let extended = Set(extensions.compactMap { try? self.nominal(of: $0) })
    var visited: Set<NominalType> = []
    var current: NominalType? = nominal
    while let type = current, visited.insert(type).inserted {
      if extended.contains(type) || declarations(of: type).contains(where: \.inheritsIdentifiable) { return true }
      current = superclass(of: type)
    }
    return false
  }

  /// Returns true when a type's name without its module refers to it in an extension of another type.
  func canSee(_ nominal: NominalType, from context: NominalType, in file: SourceFile) -> Bool {
    let first = nominal.components[0]
    let wanted = NominalType(module: nominal.module, components: [first])
    guard let found = try? visible(first.name, from: context, in: file) else { return false }
    if case .nominal(wanted) = found { return true }
    return false
  }
}

extension Declaration {
  fileprivate var inheritsIdentifiable: Bool {
    inherited.contains { type in
      switch type {
      case .name(let written), .member(_, let written): written.name == "Identifiable"
      default: false
      }
    }
  }
}
