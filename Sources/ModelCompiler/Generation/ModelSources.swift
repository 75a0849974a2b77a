import Foundation
import ModelFormats

/// The models of a target, from which classes and extensions are generated.
struct ModelSources {
  struct Model {
    /// The name by which programs load the model.
    var name: String
    /// The path of the `.xcdatamodeld` or `.xcdatamodel`.
    var path: String
    /// The file of the current version.
    var contentsPath: String
    var document: ModelDocument
  }

  private(set) var models: [Model] = []

  init() {}

  init(paths: [String]) throws(ModelFileError) {
    for path in paths { models.append(try Self.read(path)) }
  }

  /// The readable models at some paths. Broken models of other targets are skipped, because building those
  /// targets reports them.
  init(readable paths: [String]) {
    models = paths.compactMap { try? Self.read($0) }
  }

  /// Returns true for the path of a model, and false for that of a version in a model package.
  static func isModel(_ path: String) -> Bool {
    path.hasSuffix(".xcdatamodeld") || path.hasSuffix(".xcdatamodel") && !path.contains(".xcdatamodeld/")
  }

  private static func read(_ path: String) throws(ModelFileError) -> Model {
    let url = URL(fileURLWithPath: path)
    let contents = try ModelDocument.contentsFile(of: url)
    let document = try ModelDocument(contentsOf: contents)
    try document.check(file: contents.path)
    return Model(
      name: url.deletingPathExtension().lastPathComponent,
      path: path,
      contentsPath: contents.path,
      document: document
    )
  }

  /// Declarations of the classes that are generated from the models, with which their names can be looked up.
  func generatedClasses(module: String) -> String {
    var lines: [String] = []
    for document in models.map(\.document) {
      for entity in document.entities where entity.codeGeneration == .classDefinition {
        guard let type = EntityClass(entity, in: document, module: module) else { continue }
        lines.append(
          "public class \(TypePrinter.identifier(type.name)): \(TypePrinter.identifier(type.superclassName)) {}"
        )
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The names of all properties of all models.
  var propertyNames: Set<String> {
    var names: Set<String> = []
    for entity in models.flatMap(\.document.entities) {
      names.formUnion(entity.attributes.map(\.name))
      names.formUnion(entity.relationships.map(\.name))
      names.formUnion(entity.fetchedProperties.map(\.name))
    }
    return names
  }
}
