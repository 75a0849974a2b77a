import ModelFormats
import Texts

/// The differences between a target's sources and its models that compile, but fail or surprise at run time.
struct SourceWarnings {
  private let resolver: TypeResolver
  private let models: ModelSources
  private(set) var all: [CompilationError] = []

  /// - Throws: an error for a source that cannot be read.
  init(resolver: TypeResolver, models: ModelSources) throws {
    self.resolver = resolver
    self.models = models
    let files = try resolver.module.files.get().filter { !$0.isGenerated }
    let properties = EntityProperties(models, module: resolver.module.name)
    for file in files where file.managedCount > 0 {
      for declaration in file.contents.declarations { checkMembers(of: declaration, properties: properties) }
    }
    checkClasses(sources: Set(files.flatMap(\.declaredNames)).sorted())
    for file in files {
      checkImports(of: file)
      checkObjectiveC(in: file)
    }
  }

  // MARK: - Properties

  private mutating func checkMembers(of declaration: Declaration, properties: EntityProperties) {
    if !declaration.managedMembers.isEmpty, let nominal = try? resolver.nominal(of: declaration),
      let known = properties.ofClass(nominal.path)
    {
      for member in declaration.managedMembers where member.selector == nil {
        if case .property(_, let type) = member.kind {
          check(member, type: type, known: known, file: declaration.file)
        }
      }
    }
    for member in declaration.members { checkMembers(of: member, properties: properties) }
  }

  private mutating func check(
    _ member: ManagedMember,
    type: String,
    known: EntityProperties.Properties,
    file: SourceFile
  ) {
    guard let kinds = known.kinds[member.name] else {
      if known.primitiveProperty(of: member.name) != nil { return }
      let remedy = Suggestion.remedy(
        "name",
        word: member.name,
        among: known.kinds.keys.sorted(),
        of: "the properties of \(known.entity) are"
      )
      return warn(
        "the entity \(known.entity) has no property '\(member.name)'; \(remedy)",
        file: file,
        position: member.position
      )
    }
    guard let written = PropertyKind(swiftType: type), !kinds.contains(written),
      let expected = kinds.sorted(by: { $0.rawValue < $1.rawValue }).first
    else { return }
    warn(
      """
      '\(member.name)' has the type \(type), and the model has \(expected.words); declare it as \(expected.types), or \
      change the model
      """,
      file: file,
      position: member.position
    )
  }

  // MARK: - Classes

  /// Warns about classes that a model names and no source declares. If a model has none of its classes in the target, they
  /// are assumed to be in another one, and the model is skipped.
  ///
  /// - Parameter sources: the names of all types of the target.
  private mutating func checkClasses(sources: [String]) {
    let modules = [resolver.module] + resolver.dependencies.values
    func isDeclared(_ name: String) -> Bool { modules.contains { !$0.declarations(named: name).isEmpty } }
    for model in models.models {
      let written = model.document.entities.filter { $0.codeGeneration == nil }
      let named = written.compactMap { entity in
        EntityClass.className(of: entity, module: resolver.module.name).map { (entity: entity, name: $0) }
      }
      let declared = named.map(\.name).filter(isDeclared)
      if declared.isEmpty { continue }
      for (entity, name) in named where !isDeclared(name) {
        let near = Suggestion.nearest(to: name, among: sources)
        let remedy = near.map { "correct the class to \"\($0)\", or declare \(name)" } ?? "declare the class"
        warn(
          """
          entity \(entity.name) has the class \(name), which no source of the target declares, so that its objects are \
          of NSManagedObject; \(remedy), or choose "Class Definition" as its code generation
          """,
          file: model.contentsPath,
          line: entity.line.number
        )
      }
    }
  }

  // MARK: - Imports

  private static let frameworks: Set = ["Combine", "SwiftUI"]

  /// Warns about imports of Apple-only frameworks if the target is built for another platform.
  private mutating func checkImports(of file: SourceFile) {
    #if !canImport(ObjectiveC)
      if Self.frameworks.isDisjoint(with: file.importWords.keys) { return }
      for statement in file.contents.imports
      where Self.frameworks.contains(statement.module) && statement.conditions.isEmpty {
        warn(
          """
          \(statement.module) is on Apple's platforms only; run `perennial port Sources`, or write \
          #if canImport(\(statement.module)) around the import and what needs it
          """,
          file: file,
          position: statement.position
        )
      }
    #endif
  }

  // MARK: - Objective-C

  /// Warns about attributes that need Objective-C if the target is built for a platform without it. The compiler reports each of
  /// them as "Objective-C interoperability is disabled", without a remedy. One warning names the remedy for a whole file.
  private mutating func checkObjectiveC(in file: SourceFile) {
    #if !canImport(ObjectiveC)
      if !file.mentionsObjectiveC { return }
      let attributes = file.contents.objectiveCAttributes.filter { !$0.isOfAccessor }
      if let first = attributes.first {
        let others = attributes.count - 1
        let subject =
          switch others {
          case 0: "\(first.text) needs Objective-C and does"
          case 1: "\(first.text) and another attribute of this file need Objective-C and do"
          default: "\(first.text) and \(others) more attributes of this file need Objective-C and do"
          }
        warn(
          """
          \(subject) not compile on this platform; run `perennial port Sources`, or write #if canImport(ObjectiveC) \
          around \(others == 0 ? "the" : "each") attribute
          """,
          file: file,
          position: first.position
        )
      }
      for attribute in file.contents.objectiveCAttributes where attribute.isOfAccessor {
        warn(
          """
          \(attribute.text) needs Objective-C, and an accessor's attribute cannot be in #if; name the property with \
          @objc, or write it twice, in #if canImport(ObjectiveC) and #else
          """,
          file: file,
          position: attribute.position
        )
      }
    #endif
  }

  private mutating func warn(_ message: String, file: SourceFile, position: SourcePosition) {
    var warning = CompilationError(file: file.path, at: position, message: message)
    warning.isWarning = true
    all.append(warning)
  }

  private mutating func warn(_ message: String, file: String, line: Int?) {
    var warning = CompilationError(file: file, line: line, message: message)
    warning.isWarning = true
    all.append(warning)
  }
}
