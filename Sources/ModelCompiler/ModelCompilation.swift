import Foundation
import ModelFormats

/// Generates the code and files that a target with managed objects needs on platforms without Core Data: the
/// accessors of `@NSManaged`, the classes of its models, and the compiled models and mapping models.
package struct ModelCompilation {
  /// A model of the target, and the path of its compiled `.momd`.
  package struct Model {
    package var source: String
    package var output: String

    package init(source: String, output: String) {
      self.source = source
      self.output = output
    }
  }

  /// A mapping model of the target, and the path of its compiled `.cdm`.
  package struct Mapping {
    package var source: String
    package var output: String
  }

  /// The name of the target's module.
  package var module: String
  /// The Swift files of the target.
  package var sources: [String] = []
  /// The models of the target.
  package var models: [Model] = []
  /// The mapping models of the target.
  package var mappings: [Mapping] = []
  /// The source folders of other modules, by module name.
  package var dependencies: [(module: String, folder: String)] = []
  /// The path of the Swift file to generate.
  package var output: String
  /// The folder of the files, if only the tool writes into it; `nil` if it may contain other files.
  package var folder: PluginFolder?
  /// The purpose of the files: a build, or a commit.
  package var purpose = GeneratedPurpose.build

  /// Generates and writes all files. A file whose contents do not change is not touched.
  ///
  /// - Returns: the errors in the sources and models, and the warnings. If there are errors, no file is written.
  /// - Throws: an error for a file that cannot be read or written.
  package func run() throws -> [CompilationError] {
    let compiled = try compiled()
    if compiled.errors.isEmpty { try compiled.write() }
    return compiled.errors + compiled.warnings
  }

  /// Compiles everything without writing files.
  ///
  /// - Throws: an error for a file that cannot be read.
  package func compiled() throws -> CompiledTarget {
    let namesakes = namesakes
    if !namesakes.isEmpty { return CompiledTarget(errors: namesakes) }
    do {
      return try compile()
    } catch let error as ModelFileError {
      return CompiledTarget(errors: [CompilationError(error)])
    }
  }

  private func compile() throws -> CompiledTarget {
    let modelSources = try ModelSources(paths: models.map(\.source))
    let target = SourceModule(name: module, files: sources, models: modelSources)
    let committed = try committedFiles(in: target)
    if !committed.isEmpty { return CompiledTarget(errors: committed) }
    let resolver = TypeResolver(
      module: target,
      dependencies: dependencies.map { SourceModule(name: $0.module, folder: $0.folder) }
    )
    let accessors = AccessorGenerator(resolver: resolver, modelKeys: modelSources.propertyNames)
    try accessors.generate()
    var classes = SubclassGenerator(models: modelSources, resolver: resolver, namingLines: purpose.namesLines)
    classes.generate()
    let errors = accessors.errors + classes.errors
    if !errors.isEmpty { return CompiledTarget(errors: errors) }
    var outputs: [ModelOutput] = []
    for model in models { outputs.append(try ModelOutput(model, module: module)) }
    let mappings = try compiledMappings()

    var members = KeyedMembersGenerator(resolver: resolver, models: modelSources)
    try members.generate()
    let ambiguous = try AmbiguousNames(in: target, propertyTypes: accessors.propertyTypes)
    let imports = try ImportList(
      module: target,
      files: accessors.files + classes.files + members.files,
      publicModules: accessors.publicModules.union(classes.publicModules).union(ambiguous.publicModules)
    )
    let extensions = accessors.extensions.map { $0.text(namingLines: purpose.namesLines) }
    let parts = [purpose.heading(of: module), "#if !canImport(ObjectiveC)", imports.text]
    let text =
      (parts + ambiguous.texts + classes.texts + extensions + members.texts + resourceMark + ["#endif"])
      .joined(separator: "\n\n") + "\n"
    let file = OutputFile(path: output, data: Data(text.utf8))
    return CompiledTarget(
      files: [file],
      models: outputs,
      mappings: mappings,
      sourceWarnings: try SourceWarnings(resolver: resolver, models: modelSources).all,
      in: folder
    )
  }

  /// The declaration of a class that marks a program as containing the target, because programs find models
  /// by name and a target with models need not declare any type. The class's name is not looked up.
  private var resourceMark: [String] {
    models.isEmpty && mappings.isEmpty ? [] : ["nonisolated final class _ManagedObjectModels {}"]
  }

  private func compiledMappings() throws -> [MappingOutput] {
    if mappings.isEmpty { return [] }
    let others = dependencies.flatMap { SourceModule.models(below: $0.folder) }
    var outputs: [MappingOutput] = []
    for mapping in mappings { outputs.append(try MappingOutput(mapping, models: models.map(\.source) + others)) }
    return outputs
  }

  /// The errors for models with the same name as another model of the target, because a program could find
  /// only one of them, and for mapping models with the same name, because they would be one file.
  private var namesakes: [CompilationError] {
    namesakes(models.map { ($0.source, $0.output) }, "models")
      + namesakes(mappings.map { ($0.source, $0.output) }, "mapping models")
  }

  private func namesakes(_ files: [(source: String, output: String)], _ kind: String) -> [CompilationError] {
    var known: [String: String] = [:]
    return files.compactMap { source, output in
      guard let first = known.updateValue(source, forKey: output) else { return nil }
      return CompilationError(
        file: source,
        message: "the target has two \(kind) of this name, the other being \(first); rename one of them"
      )
    }
  }

  /// The errors for sources that were generated to be committed, because the plugin would declare their contents again.
  private func committedFiles(in target: SourceModule) throws -> [CompilationError] {
    try target.files.get().filter(\.isCommitted).map { file in
      CompilationError(
        file: file.path,
        line: 1,
        message: """
          this file has what is generated for the target already; remove it, or take the plugin from the target
          """
      )
    }
  }
}

/// The purpose for which files are generated.
package enum GeneratedPurpose: Sendable {
  /// The build that generates the files also compiles them. The compiler's messages about an accessor refer
  /// to its property.
  case build
  /// The files are committed next to the sources. They do not contain paths of sources or lines of
  /// properties, so that they change only together with the declarations.
  case commit

  /// True when generated code states the line of its declaration in the sources.
  var namesLines: Bool { self == .build }

  /// The first lines of the generated Swift file.
  func heading(of module: String) -> String {
    switch self {
    case .build: "// Generated by CoreDataModelPlugin from the sources and models of \(module)."
    case .commit:
      """
      \(Self.committedHeading) from the sources and models of \(module); when they
      // change, it is to be generated again. swift-format leaves it as it is: swift-format-ignore-file
      """
    }
  }

  private static let committedHeading = "// Generated by perennial generate --accessors"

  /// Returns true for a source that was generated to be committed, so that it is not treated as the target's own.
  static func isCommitted(_ source: [UInt8]) -> Bool { source.starts(with: committedHeading.utf8) }
}
