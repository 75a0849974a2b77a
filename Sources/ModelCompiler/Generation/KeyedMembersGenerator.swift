import ModelFormats

/// Generates the list of what key-value coding finds by name in the classes of managed objects of a target, beside the
/// properties of their entities: the Objective-C runtime has it elsewhere.
struct KeyedMembersGenerator {
  private let resolver: TypeResolver
  private let models: ModelSources
  private var lines: [String] = []
  private var isDeprecated = false
  /// The files whose classes are named, whose imports the list may need.
  private(set) var files: [SourceFile] = []

  init(resolver: TypeResolver, models: ModelSources) {
    self.resolver = resolver
    self.models = models
  }

  mutating func generate() throws {
    let classNames = try managedClassNames()
    for file in try resolver.module.files.get() where !file.isGenerated {
      if classNames.isDisjoint(with: file.extendedNames), classNames.isDisjoint(with: file.declaredNames) {
        continue
      }
      let count = lines.count
      for declaration in file.contents.declarations { generate(declaration) }
      if lines.count > count { files.append(file) }
    }
  }

  /// The declaration of the list; none where it would be empty.
  var texts: [String] {
    if lines.isEmpty { return [] }
    // What is deprecated may be named without a warning by what is deprecated itself.
    let attribute = isDeprecated ? ["  @available(*, deprecated)"] : []
    let heading = [
      "final class \(Self.className): CoreData.KeyedMembers {",
      "  override class func declare(in list: CoreData.KeyedMemberList) {",
    ]
    return [([heading[0]] + attribute + [heading[1]] + lines + ["  }", "}"]).joined(separator: "\n")]
  }

  /// The framework looks for classes of this name in all modules of a program.
  static let className = "_ManagedObjectKeyedMembers"

  // MARK: - Members

  private mutating func generate(_ declaration: Declaration) {
    if !declaration.keyedMembers.isEmpty, let name = className(of: declaration) {
      let conditions = declaration.allConditions
      let isDeprecated = declaration.allAvailability.contains { $0.contains("deprecated") }
      for member in declaration.keyedMembers {
        let line = "    " + Self.line(member, name)
        let conditions = conditions + member.conditions
        lines +=
          conditions.isEmpty
          ? [line] : ["#if \(GeneratedExtension.conjunction(conditions))", line, "#endif"]
        self.isDeprecated = self.isDeprecated || isDeprecated || member.isDeprecated
      }
    }
    for member in declaration.members { generate(member) }
  }

  private static func line(_ member: KeyedMember, _ className: String) -> String {
    let name = TypePrinter.identifier(member.name)
    let key = GeneratedExtension.literal(member.key)
    let shown = member.isShown ? "" : ", isShown: false"
    return switch member.kind {
    case .property(isSettable: true): "list.add(\(key), \\\(className).\(name)\(shown))"
    case .property(isSettable: false): "list.add(\(key), reading: \\\(className).\(name)\(shown))"
    case .method: "list.add(\(key), calling: { (object: \(className)) in object.\(name)() })"
    case .validation: "list.addValidation(\(key)) { (object: \(className)) in object.\(name) }"
    case .affectingKeyPaths: "list.addKeyPaths(\(key), of: \(className).self) { \(className).\(name)() }"
    case .scalar: "list.addScalar(\(key), of: \(className).self)"
    }
  }

  /// How the generated file names the class of a declaration; `nil` where it cannot, or where it is none of managed
  /// objects.
  private func className(of declaration: Declaration) -> String? {
    guard let nominal = try? resolver.nominal(of: declaration), nominal.kind == .class, !nominal.isPrivate,
      !nominal.isGeneric, declaration.visibleGenericParameters.isEmpty,
      resolver.isManagedObject(nominal) == true
    else { return nil }
    return TypePrinter(resolver: resolver, context: .managedObject, file: declaration.file).name(nominal)
  }

  // MARK: - Which files to parse

  /// The names of the classes that may be those of managed objects, told without parsing.
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
    // Other modules are looked into only where the target has to do with classes that it does not declare.
    for dependency in resolver.dependencies.values where !foreign.isEmpty {
      let files = (try? dependency.files.get()) ?? []
      guard files.contains(where: { !foreign.isDisjoint(with: $0.declaredNames) }) else { continue }
      superclasses += files.flatMap { Array($0.superclasses) }
    }
    // A class is found in the round behind its superclass.
    var count = 0
    while count != names.count {
      count = names.count
      for (name, superclass) in superclasses where names.contains(superclass) { names.insert(name) }
    }
    return names
  }
}
