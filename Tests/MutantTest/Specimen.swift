import Foundation

/// A file to mutate, in a folder with everything that commands on it need.
struct Specimen: Codable {
  enum Kind: String, Codable, CaseIterable {
    /// The bytes of a SQLite store, the values in its tables, and its description of itself.
    case database, cells, modelCache, metadata, archive, externalData
    case xml, binary
    /// Compiled models, model files in XML, mapping models.
    case compiledModel, modelSource, mapping
    /// Seeds.
    case text, propertyList, compressed
    /// Swift sources for `perennial port`.
    case source
  }

  let kind: Kind
  /// The folder of the specimen in the collection.
  let name: String
  /// The path of the file that is mutated, relative to the folder.
  let target: String
  /// The path of a matching model, relative to the folder.
  var model: String?
  /// The path of a readable store, relative to the folder.
  var store: String?
  /// An entity of the model.
  var entity = "Person"
  /// A newer version of the model.
  var newerModel: String?
}
