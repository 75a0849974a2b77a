import Foundation
import ModelFormats

/// The models of a target: what the classes and extensions are generated from.
struct ModelSources {
  struct Model {
    /// The name by which programs ask for the model.
    var name: String
    /// The `.xcdatamodeld` or `.xcdatamodel`.
    var path: String
    /// The file of the version that is current.
    var contentsPath: String
    var document: ModelDocument
  }

  let models: [Model]

  init(paths: [String]) throws(ModelFileError) {
    var models: [Model] = []
    for path in paths {
      let url = URL(fileURLWithPath: path)
      let contents = try ModelDocument.contentsFile(of: url)
      let document = try ModelDocument(contentsOf: contents)
      try document.check(file: contents.path)
      models.append(
        Model(
          name: url.deletingPathExtension().lastPathComponent,
          path: path,
          contentsPath: contents.path,
          document: document
        )
      )
    }
    self.models = models
  }

  /// The names of all properties.
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
