import Foundation

/// A file of which mutants are made, in a folder with all that a command over it needs.
struct Specimen: Codable {
  enum Kind: String, Codable, CaseIterable {
    /// The bytes of a SQLite store, the values in its tables, and what it says of itself.
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
  /// The file that is changed, as a path in the folder.
  let target: String
  /// A model that fits, as a path in the folder.
  var model: String?
  /// A store that can be read, as a path in the folder.
  var store: String?
  /// An entity of the model.
  var entity = "Person"
  /// A newer version of the model.
  var newerModel: String?
}
