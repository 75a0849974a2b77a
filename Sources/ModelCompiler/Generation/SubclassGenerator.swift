import ModelFormats

/// Generates the classes of entities whose code generation in the model is "class" or "category".
struct SubclassGenerator {
  private let models: ModelSources
  private let resolver: TypeResolver
  private let namesLines: Bool
  private(set) var texts: [String] = []
  private(set) var errors: [CompilationError] = []
  /// The modules whose types public declarations use.
  private(set) var publicModules: Set<String> = []
  /// The files that declare the classes. The extensions may need their imports.
  private(set) var files: [SourceFile] = []
  /// The classes that the generated code makes `Identifiable`, and the generated classes.
  private var identifiable: Set<String> = []

  /// - Parameter namesLines: whether the classes state on which lines of the model their properties are declared.
  init(models: ModelSources, resolver: TypeResolver, namingLines namesLines: Bool) {
    self.models = models
    self.resolver = resolver
    self.namesLines = namesLines
  }

  mutating func generate() {
    var generated: Set<String> = []
    for model in models.models {
      let entities = Self.parentsFirst(model.document)
      for entity in entities where entity.codeGeneration != nil {
        guard let entityClass = EntityClass(entity, in: model.document, module: resolver.module.name),
          generated.insert(entityClass.name).inserted
        else { continue }
        generate(entityClass, entity: entity, model: model)
      }
    }
  }

  private mutating func generate(_ entityClass: EntityClass, entity: ModelDocument.Entity, model: ModelSources.Model) {
    let written = resolver.module.declarations(named: entityClass.name).first { declaration in
      guard declaration.parent == nil, case .type(.class) = declaration.role else { return false }
      return !declaration.file.isGenerated
    }
    let nominal = NominalType(module: resolver.module.name, kind: .class, name: entityClass.name)
    let writer = SubclassWriter(
      entity: entityClass,
      file: model.contentsPath,
      namesLines: namesLines,
      isNonisolated: !resolver.hasUnknownAttribute(nominal),
      availability: written?.availability ?? []
    )
    switch (entity.codeGeneration, written) {
    case (.classDefinition?, let written?):
      report(
        """
        the code of entity \(entity.name) is generated, and the class \(entityClass.name) is also declared in \
        \(written.file.path):\(written.position.line); choose "Manual/None" or "Category/Extension" as its \
        code generation
        """,
        entity: entity,
        model: model
      )
      return
    case (.classDefinition?, nil):
      reportOverrides(in: entityClass)
      texts.append(writer.classText())
      publicModules.insert("CoreData")
    case (.category?, let written?):
      files.append(written.file)
      texts.append(writer.extensionText(access: written.access))
      if written.access >= .public { publicModules.insert("CoreData") }
    default:
      report(
        """
        an extension of the class \(entityClass.name) is generated for entity \(entity.name), and no source of the \
        target declares that class; declare it, or choose "Class Definition" as its code generation
        """,
        entity: entity,
        model: model
      )
      return
    }
    appendIdentifiable(writer, entityClass: entityClass, written: written)
  }

  /// Reports overrides in extensions of a generated class. They are the usual way to extend it on Apple's
  /// platforms, and the compiler's message does not suggest a remedy.
  private mutating func reportOverrides(in entityClass: EntityClass) {
    let files = (try? resolver.module.files.get()) ?? []
    for file in files where file.extendedNames.contains(entityClass.name) {
      for declaration in file.contents.declarations where !declaration.overrides.isEmpty {
        guard let nominal = try? resolver.nominal(of: declaration), nominal.path == entityClass.name,
          nominal.module == resolver.module.name
        else { continue }
        errors += declaration.overrides.map { position in
          CompilationError(
            file: file.path,
            at: position,
            message: """
              an override cannot be in an extension without Objective-C, and the class \(entityClass.name) is generated \
              for entity \(entityClass.entityName); \(GeneratedClasses.Heading(entityClass).remedy)
              """
          )
        }
      }
    }
  }

  /// Adds the conformance, unless the class or its superclass already conforms.
  private mutating func appendIdentifiable(_ writer: SubclassWriter, entityClass: EntityClass, written: Declaration?) {
    let nominal = NominalType(module: resolver.module.name, kind: .class, name: entityClass.name)
    let superclass = NominalType(module: resolver.module.name, kind: .class, name: entityClass.superclassName)
    let conforms =
      identifiable.contains(entityClass.superclassName) || resolver.isIdentifiable(nominal)
      || resolver.isIdentifiable(superclass)
    identifiable.insert(entityClass.name)
    if !conforms { texts.append(writer.identifiableText()) }
  }

  private mutating func report(_ message: String, entity: ModelDocument.Entity, model: ModelSources.Model) {
    errors.append(CompilationError(file: model.contentsPath, line: entity.line.number, message: message))
  }

  /// Entities after those that they inherit from.
  private static func parentsFirst(_ document: ModelDocument) -> [ModelDocument.Entity] {
    func depth(_ entity: ModelDocument.Entity) -> Int {
      var depth = 0
      var current = entity
      while depth <= document.entities.count,
        let parent = current.parentEntity.flatMap(document.entity(named:))
      {
        current = parent
        depth += 1
      }
      return depth
    }
    return document.entities.enumerated().sorted { one, other in
      (depth(one.element), one.offset) < (depth(other.element), other.offset)
    }.map(\.element)
  }
}
