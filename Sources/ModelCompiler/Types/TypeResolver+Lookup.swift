extension TypeResolver {
  /// The entity that a type expression names, without its generic arguments.
  func entity(_ expression: TypeExpression, in scope: Scope) throws(UnresolvedType) -> Entity {
    switch expression {
    case .name(let name):
      if let found = try lookUp(name.name, in: scope) { return found }
      throw UnresolvedType(.unknown(name.name))
    case .member(let base, let name): return try member(name.name, of: base, in: scope)
    default: return .type(try type(expression, in: scope))
    }
  }

  private func member(_ name: String, of base: TypeExpression, in scope: Scope) throws(UnresolvedType) -> Entity {
    switch try entity(base, in: scope) {
    case .module(let module):
      if let found = try top(name, of: module, seenFrom: scope.file) { return found }
      let isKnown = KnownTypes.knows(module) || dependencies[module] != nil || module == self.module.name
      throw UnresolvedType(isKnown ? .unknown("\(module).\(name)") : .opaqueModule(module))
    case .nominal(let outer), .type(.nominal(let outer, _)):
      if let found = try member(name, of: outer, seenFrom: scope.file) { return found }
      throw UnresolvedType(.unknown("\(outer.path).\(name)"))
    case .alias(let target, _, let aliasScope):
      let outer = try nominal(target, in: aliasScope)
      if let found = try member(name, of: outer, seenFrom: scope.file) { return found }
      throw UnresolvedType(.unknown("\(outer.path).\(name)"))
    case .type: throw UnresolvedType(.unsupported("\(base.text).\(name)"))
    }
  }

  // MARK: - Names that stand alone

  private func lookUp(_ name: String, in scope: Scope) throws(UnresolvedType) -> Entity? {
    if let bound = scope.bindings[name] { return .type(bound) }
    var place = scope.declaration
    while let declaration = place {
      if declaration.genericParameters.contains(name) { throw UnresolvedType(.genericParameter(name)) }
      if case .alias = declaration.role {
        place = declaration.parent
        continue
      }
      let outer = try nominal(of: declaration)
      if let found = try member(name, of: outer, seenFrom: scope.file) { return found }
      // An extension does not see the declarations around the extended type.
      if case .extension = declaration.role { break }
      place = declaration.parent
    }
    return try top(name, seenFrom: scope.file)
  }

  /// The entity that a name refers to in an extension of a type.
  func visible(_ name: String, from context: NominalType, in file: SourceFile) throws(UnresolvedType) -> Entity? {
    if let found = try member(name, of: context, seenFrom: file) { return found }
    return try top(name, seenFrom: file)
  }

  /// A name at the top level of the file's module, or of a module that the file can see.
  private func top(_ name: String, seenFrom file: SourceFile) throws(UnresolvedType) -> Entity? {
    if let found = try top(name, in: file.module, seenFrom: file) { return found }
    if name == "Any" { return .type(.existential([], isClassBound: false)) }
    if name == "AnyObject" { return .type(.existential([], isClassBound: true)) }
    let known = KnownTypes.entry(name)
    let isBasic = Self.basicTypes.contains(name)
    if !isBasic, let found = try imported(name, by: file, mayHide: known) { return found }
    if let known { return entity(known, seenFrom: file) }
    let modules = file.contents.imports.map(\.module) + [file.module.name, "Swift", "Foundation"]
    return modules.contains(name) ? .module(name) : nil
  }

  /// Types that no module is expected to hide, so that imported modules are not searched for their names.
  private static let basicTypes: Set = [
    "Foundation", "CoreData", "Any", "AnyObject", "Array", "Bool", "Codable", "Data", "Date", "Decimal",
    "Dictionary", "Double", "Float",
    "Int", "Int16", "Int32", "Int64", "Int8", "NSData", "NSDate", "NSDecimalNumber", "NSManagedObject",
    "NSNumber",
    "NSObject", "NSOrderedSet", "NSSet", "NSString", "Optional", "Set", "String", "Swift", "TimeInterval",
    "UInt",
    "URL", "UUID", "Void",
  ]

  /// A type of a module that the file imports, or that an imported module re-exports.
  private func imported(
    _ name: String,
    by file: SourceFile,
    mayHide known: KnownTypes.Entry?
  ) throws(UnresolvedType) -> Entity? {
    let names = Set(file.contents.imports.map(\.module))
    for module in names.sorted() {
      guard let module = dependencies[module] else { continue }
      if let found = try top(name, in: module, seenFrom: file) { return found }
    }
    if known != nil { return nil }
    for (_, module) in dependencies.sorted(by: { $0.key < $1.key }) where !names.contains(module.name) {
      if let found = try top(name, in: module, seenFrom: file) { return found }
    }
    return nil
  }

  /// A type that is qualified with the name of its module.
  private func top(_ name: String, of module: String, seenFrom file: SourceFile) throws(UnresolvedType) -> Entity? {
    if module == "Swift", name == "Any" || name == "AnyObject" { return try top(name, seenFrom: file) }
    if let sources = module == file.module.name ? file.module : dependencies[module],
      let found = try top(name, in: sources, seenFrom: file)
    {
      return found
    }
    return KnownTypes.entry(name, in: module).map { entity($0, seenFrom: file) }
  }

  private func top(
    _ name: String,
    in module: SourceModule,
    seenFrom file: SourceFile
  ) throws(UnresolvedType) -> Entity? {
    let candidates = module.declarations(named: name).filter { declaration in
      declaration.parent == nil && isVisible(declaration, from: file)
    }
    // A private type of the file hides a type of the same name elsewhere in the module.
    guard let found = candidates.first(where: { $0.file === file }) ?? candidates.first else { return nil }
    return try entity(found)
  }

  // MARK: - Types in types

  func member(_ name: String, of outer: NominalType, seenFrom file: SourceFile) throws(UnresolvedType) -> Entity? {
    var visited: Set<NominalType> = []
    return try member(name, of: outer, seenFrom: file, visited: &visited)
  }

  /// A type that is declared in another type, in its extensions, in its superclasses or in its protocols.
  private func member(
    _ name: String,
    of outer: NominalType,
    seenFrom file: SourceFile,
    visited: inout Set<NominalType>
  ) throws(UnresolvedType) -> Entity? {
    guard visited.insert(outer).inserted else { return nil }
    for module in modules(with: outer) {
      for declaration in module.declarations(named: name) {
        guard let parent = declaration.parent, isVisible(declaration, from: file),
          (try? nominal(of: parent)) == outer
        else { continue }
        return try entity(declaration)
      }
    }
    if let known = KnownTypes.entry("\(outer.path).\(name)") { return entity(known, seenFrom: file) }
    for declaration in declarations(of: outer) {
      let scope = Scope(file: declaration.file, declaration: declaration.parent)
      for inherited in declaration.inherited {
        guard let type = try? nominal(inherited, in: scope) else { continue }
        if let found = try member(name, of: type, seenFrom: file, visited: &visited) { return found }
      }
    }
    return nil
  }

  /// The modules that may declare members of a type.
  private func modules(with outer: NominalType) -> [SourceModule] {
    var modules = [module]
    if let sources = dependencies[outer.module], sources !== module { modules.append(sources) }
    if let sources = dependencies[outer.declaringModule], outer.declaringModule != outer.module {
      modules.append(sources)
    }
    return modules
  }

  /// The declarations of a type itself. There are several if conditions of `#if` select among them.
  func declarations(of nominal: NominalType) -> [Declaration] {
    guard
      let sources = nominal.declaringModule == module.name ? module : dependencies[nominal.declaringModule]
    else { return [] }
    return sources.declarations(named: nominal.name).filter { declaration in
      guard case .type = declaration.role else { return false }
      return (try? self.nominal(of: declaration)) == nominal
    }
  }

  // MARK: - Entities

  private func entity(_ declaration: Declaration) throws(UnresolvedType) -> Entity {
    guard case .alias(let target) = declaration.role else { return .nominal(try nominal(of: declaration)) }
    let scope = Scope(file: declaration.file, declaration: declaration.parent)
    return .alias(target, parameters: declaration.genericParameters, scope: scope)
  }

  private func entity(_ known: KnownTypes.Entry, seenFrom file: SourceFile) -> Entity {
    switch known {
    case .nominal(let nominal): .nominal(nominal)
    case .alias(let target): .alias(target, parameters: [], scope: Scope(file: file))
    }
  }

  /// Returns true when a file can see a declaration: only its own file sees a private one, and only its own
  /// module an internal one.
  private func isVisible(_ declaration: Declaration, from file: SourceFile) -> Bool {
    if declaration.file === file { return true }
    if declaration.access.isPrivate { return false }
    if declaration.file.module === file.module || declaration.access >= .package { return true }
    return file.contents.imports.contains { $0.isTestable && $0.module == declaration.file.module.name }
  }
}
