/// Generates the accessors of all members with `@NSManaged` in a target.
final class AccessorGenerator {
  let resolver: TypeResolver
  /// The names of the properties in the target's models.
  private let modelKeys: Set<String>
  private(set) var extensions: [GeneratedExtension] = []
  private(set) var errors: [CompilationError] = []
  /// The files whose imports the accessors need, and the modules whose types public accessors use.
  private(set) var files: [SourceFile] = []
  private(set) var publicModules: Set<String> = []
  /// The types of the properties, as the sources write them.
  private(set) var propertyTypes: [String] = []

  init(resolver: TypeResolver, modelKeys: Set<String>) {
    self.resolver = resolver
    self.modelKeys = modelKeys
  }

  func generate() throws {
    files = try resolver.module.files.get().filter { $0.managedCount > 0 }
    for file in files {
      for declaration in file.contents.declarations { generate(declaration) }
      for position in file.contents.localManagedMembers {
        report(
          "a class inside a function has no name that generated accessors could use; move the class out of it",
          file: file,
          position: position
        )
      }
    }
  }

  private func generate(_ declaration: Declaration) {
    if !declaration.managedMembers.isEmpty { generateMembers(of: declaration) }
    for member in declaration.members { generate(member) }
  }

  private func generateMembers(of declaration: Declaration) {
    guard let place = place(of: declaration) else { return }
    var members: [GeneratedExtension.Member] = []
    for (index, member) in declaration.managedMembers.enumerated() {
      if case .property(_, let text) = member.kind { propertyTypes.append(text) }
      do throws(UnresolvedType) {
        var writer = AccessorWriter(
          resolver: resolver,
          place: place,
          member: member,
          number: index,
          keys: keys
        )
        members.append(
          GeneratedExtension.Member(
            conditions: member.conditions,
            availability: member.availability,
            line: member.position.line,
            declarations: try writer.declarations()
          )
        )
        publicModules.formUnion(writer.publicModules)
      } catch {
        report(Self.message(member, error: error), file: declaration.file, position: member.position)
      }
    }
    extensions.append(
      GeneratedExtension(
        target: place.target,
        conditions: declaration.allConditions,
        availability: declaration.allAvailability,
        file: declaration.file.path,
        members: members
      )
    )
  }

  /// The class that contains the members. It is `nil` if the class cannot have accessors, with an error
  /// for each member.
  private func place(of declaration: Declaration) -> AccessorPlace? {
    let nominal: NominalType
    do throws(UnresolvedType) {
      nominal = try resolver.nominal(of: declaration)
    } catch {
      reportAll(of: declaration, message: "the class that is extended here cannot be found: \(error.explanation)")
      return nil
    }
    // The compiler itself reports that only classes can have @NSManaged.
    guard nominal.kind == .class else { return nil }
    if nominal.isGeneric || !declaration.visibleGenericParameters.isEmpty {
      reportAll(
        of: declaration,
        message: """
          @NSManaged cannot be used in the generic class '\(nominal.path)': Core Data makes objects of classes that \
          have a name of their own; declare the properties in a class that is not generic
          """
      )
      return nil
    }
    if resolver.isManagedObject(nominal) == false {
      reportAll(of: declaration, message: "the class '\(nominal.path)' does not inherit from NSManagedObject")
      return nil
    }
    return AccessorPlace(declaration: declaration, nominal: nominal, resolver: resolver)
  }

  /// The names of properties that accessors may access.
  private lazy var keys: AccessorKeys = {
    var names: Set<String> = []
    for file in files { file.contents.declarations.forEach { Self.collectNames(in: $0, names: &names) } }
    return AccessorKeys(model: modelKeys, sources: names)
  }()

  private static func collectNames(in declaration: Declaration, names: inout Set<String>) {
    for case let member in declaration.managedMembers {
      if case .property = member.kind { names.insert(member.name) }
    }
    for member in declaration.members { collectNames(in: member, names: &names) }
  }

  // MARK: - Errors

  private func reportAll(of declaration: Declaration, message: String) {
    for member in declaration.managedMembers { report(message, file: declaration.file, position: member.position) }
  }

  private func report(_ message: String, file: SourceFile, position: SourcePosition) {
    errors.append(CompilationError(file: file.path, at: position, message: message))
  }

  private static func message(_ member: ManagedMember, error: UnresolvedType) -> String {
    let problem = "the accessors of '\(member.name)' cannot be generated: \(error.explanation)"
    guard case .property(_, let type) = member.kind, error.isCuredByHand else { return problem }
    let cast = type.hasSuffix("?") || type.hasSuffix("!") ? "as? \(type.dropLast())" : "as! \(type)"
    return """
      \(problem); write instead: var \(member.name): \(type) { get { value(forKey: "\(member.name)") \(cast) } \
      set { setValue(newValue, forKey: "\(member.name)") } }
      """
  }
}
