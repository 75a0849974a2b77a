import ModelFormats

/// Generates the list of members that key-value coding finds by name in a target's managed object classes,
/// in addition to the properties of their entities. Where there is an Objective-C runtime, it has the list.
struct KeyedMembersGenerator {
  private let resolver: TypeResolver
  private let models: ModelSources
  private var lines: [String] = []
  /// The managed object classes that the target declares, and their properties.
  private var classes: [(declaration: Declaration, nominal: NominalType, name: String)] = []
  private var properties: [NominalType: [KeyedMember]] = [:]
  private var isDeprecated = false
  /// The files that declare the listed classes. The list may need their imports.
  private(set) var files: [SourceFile] = []

  init(resolver: TypeResolver, models: ModelSources) {
    self.resolver = resolver
    self.models = models
  }

  mutating func generate() throws {
    let classNames = try managedClassNames()
    let all = try resolver.module.files.get().filter { file in
      !classNames.isDisjoint(with: file.extendedNames) || !classNames.isDisjoint(with: file.declaredNames)
    }
    for file in all where !file.isGenerated {
      let count = lines.count + classes.count
      for declaration in file.contents.declarations { generate(declaration) }
      if lines.count + classes.count > count { files.append(file) }
    }
    // Generated classes may inherit from others. Their only members are the properties of their entities.
    for declaration in all.filter(\.isGenerated).flatMap(\.contents.declarations) { generate(declaration) }
    addEntityProperties()
    for entry in classes.map(listed) {
      lines += entry.lines
      isDeprecated = isDeprecated || entry.isDeprecated
    }
  }

  /// The declaration of the list; empty if the list would be empty.
  var texts: [String] {
    if lines.isEmpty { return [] }
    // A deprecated method may use deprecated declarations without a warning.
    let attribute = isDeprecated ? ["  @available(*, deprecated)"] : []
    // The class must not belong to the main actor, even if that is the module's default isolation.
    let heading = [
      "nonisolated final class \(Self.className): CoreData.KeyedMembers {",
      "  override class func declare(in list: CoreData.KeyedMemberList) {",
    ]
    return [([heading[0]] + attribute + [heading[1]] + lines + ["  }", "}"]).joined(separator: "\n")]
  }

  /// The class name for which the framework searches all modules of a program.
  static let className = "_ManagedObjectKeyedMembers"

  // MARK: - Members

  private mutating func generate(_ declaration: Declaration) {
    if let name = className(of: declaration), let nominal = try? resolver.nominal(of: declaration) {
      let isDeprecated = declaration.allAvailability.contains { $0.contains("deprecated") }
      // The list is not isolated to an actor, but the class or the extension may be.
      let isIsolated = declaration.hasUnknownAttribute || resolver.hasUnknownAttribute(nominal)
      for member in declaration.keyedMembers where !(isIsolated && Self.isLeftOutIfIsolated(member)) {
        var member = member
        member.conditions = declaration.allConditions + member.conditions
        member.isDeprecated = isDeprecated || member.isDeprecated
        add(member, of: nominal, className: name)
      }
      if case .type = declaration.role,
        !declaration.allAvailability.contains(where: { $0.contains("unavailable") })
      {
        classes.append((declaration, nominal, name))
        self.isDeprecated = self.isDeprecated || isDeprecated
      }
    }
    for member in declaration.members { generate(member) }
  }

  /// Returns true for a member whose line does not compile if an actor isolates its class. A property that an attribute shows
  /// is listed all the same, so that it is not silently lost: the compiler reports it.
  private static func isLeftOutIfIsolated(_ member: KeyedMember) -> Bool {
    switch member.kind {
    case .named: true
    case .property: !member.isShown
    case .method, .validation, .affectingKeyPaths, .scalar: false
    }
  }

  private mutating func add(_ member: KeyedMember, of nominal: NominalType, className: String) {
    lines += ListedClass.conditional("    " + Self.line(member, className: className), conditions: member.conditions)
    isDeprecated = isDeprecated || member.isDeprecated
    if member.isProperty { properties[nominal, default: []].append(member) }
  }

  private static func line(_ member: KeyedMember, className: String) -> String {
    let name = TypePrinter.identifier(member.name)
    let key = GeneratedExtension.literal(member.key)
    let shown = member.isShown ? "" : ", isShown: false"
    return switch member.kind {
    case .property(isSettable: true): "list.add(\(key), \\\(className).\(name)\(shown))"
    case .property(isSettable: false): "list.add(\(key), reading: \\\(className).\(name)\(shown))"
    case .method: "list.add(\(key), calling: { (object: \(className)) in object.\(name)() })"
    case .validation: "unsafe list.addValidation(\(key)) { (object: \(className)) in unsafe object.\(name) }"
    case .affectingKeyPaths: "list.addKeyPaths(\(key), of: \(className).self) { \(className).\(name)() }"
    case .scalar: "list.addScalar(\(key), of: \(className).self)"
    case .named: ListedClass.naming(member, className: className)
    }
  }

  /// The name of a declaration's class in the generated file; `nil` if it cannot be named there, or is not
  /// a managed object class.
  private func className(of declaration: Declaration) -> String? {
    guard let nominal = try? resolver.nominal(of: declaration), nominal.kind == .class, !nominal.isPrivate,
      !nominal.isGeneric, declaration.visibleGenericParameters.isEmpty,
      resolver.isManagedObject(nominal) == true
    else { return nil }
    return TypePrinter(resolver: resolver, context: .managedObject, file: declaration.file).name(nominal)
  }

  // MARK: - Classes

  /// Adds the properties that the build generates from the models.
  private mutating func addEntityProperties() {
    for document in models.models.map(\.document) {
      for entity in document.entities where entity.codeGeneration != nil {
        guard let type = EntityClass(entity, in: document, module: resolver.module.name),
          let written = classes.first(where: { $0.nominal.path == type.name }),
          !resolver.hasUnknownAttribute(written.nominal)
        else { continue }
        let known = Set(properties[written.nominal, default: []].map(\.name))
        for property in type.properties where !known.contains(property.name) {
          let member = KeyedMember(named: property.name, conditions: written.declaration.allConditions)
          add(member, of: written.nominal, className: written.name)
        }
      }
    }
  }

  private func listed(_ declared: (declaration: Declaration, nominal: NominalType, name: String))
    -> ListedClass
  {
    let (declaration, nominal, name) = declared
    let line = resolver.ancestors(of: nominal)
    var inherited: [KeyedMember] = []
    var known = Set(properties[nominal, default: []].map(\.name))
    for ancestor in line.dropFirst() {
      inherited += properties[ancestor, default: []].filter { !known.contains($0.name) }
      known.formUnion(properties[ancestor, default: []].map(\.name))
    }
    return ListedClass(
      className: name,
      conditions: declaration.allConditions,
      // A macro may declare the method.
      checksValues: declaration.checksValues || declaration.hasUnknownAttribute,
      inheritsInitializer: inheritsInitializer(line),
      inheritedProperties: inherited
    )
  }

  private func inheritsInitializer(_ line: [NominalType]) -> Bool {
    guard line.last == .managedObject else { return false }
    return line.dropLast().flatMap(resolver.declarations(of:)).allSatisfy {
      !$0.declaresInitializer && !$0.hasUnknownAttribute
    }
  }

  // MARK: - Which files to parse

  /// The names of possible managed object classes, found without parsing.
  private func managedClassNames() throws -> Set<String> {
    let files = try resolver.module.files.get()
    var names: Set = ["NSManagedObject"]
    for entity in models.models.flatMap(\.document.entities) {
      if let name = entity.representedClassName?.split(separator: ".").last { names.insert(String(name)) }
    }
    for file in files where file.managedCount > 0 { names.formUnion(file.extendedNames) }
    let declared = files.reduce(into: Set<String>()) { $0.formUnion($1.declaredNames) }
    let foreign = files.reduce(into: Set<String>()) { foreign, file in
      foreign.formUnion(file.extendedNames.subtracting(declared))
      foreign.formUnion(Set(file.superclasses.values).subtracting(declared))
    }
    var superclasses = files.flatMap { Array($0.superclasses) }
    // Other modules are read only if the target uses classes that it does not declare.
    for dependency in resolver.dependencies.values where !foreign.isEmpty {
      let files = (try? dependency.files.get()) ?? []
      guard files.contains(where: { !foreign.isDisjoint(with: $0.declaredNames) }) else { continue }
      superclasses += files.flatMap { Array($0.superclasses) }
    }
    // Each round finds the direct subclasses of the classes of the round before.
    var count = 0
    while count != names.count {
      count = names.count
      for (name, superclass) in superclasses where names.contains(superclass) { names.insert(name) }
    }
    return names
  }
}

/// A managed object class in the list, with the facts that would otherwise have to be determined at run time.
struct ListedClass {
  /// The name of the class in the generated file.
  let className: String
  let conditions: [String]
  /// True when the class overrides `validateValue(_:forKey:)`.
  let checksValues: Bool
  /// True when neither the class nor a superclass overrides `NSManagedObject`'s `init(entity:insertInto:)`,
  /// so that no code of the program receives its arguments.
  let inheritsInitializer: Bool
  /// The properties that the class inherits from other classes of the module. Their key paths can also begin
  /// at this class.
  let inheritedProperties: [KeyedMember]

  /// The lines of the list.
  var lines: [String] {
    let maker = inheritsInitializer ? " { \(className)(entity: $0, insertInto: $1) }" : ""
    let line = "    list.addClass(\(className).self, checksValues: \(checksValues))\(maker)"
    return Self.conditional(line, conditions: conditions)
      + inheritedProperties.flatMap { property in
        Self.conditional(
          "    " + Self.naming(property, className: className),
          conditions: conditions + property.conditions
        )
      }
  }

  /// The call that registers the name of a property's key paths.
  static func naming(_ property: KeyedMember, className: String) -> String {
    let key = GeneratedExtension.literal(property.key)
    return "list.addName(\(key), of: \\\(className).\(TypePrinter.identifier(property.name)))"
  }

  var isDeprecated: Bool { inheritedProperties.contains(where: \.isDeprecated) }

  static func conditional(_ line: String, conditions: [String]) -> [String] {
    conditions.isEmpty ? [line] : ["#if \(GeneratedExtension.conjunction(conditions))", line, "#endif"]
  }
}
