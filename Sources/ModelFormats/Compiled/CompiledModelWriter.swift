import Foundation
import PropertyLists

/// Writes a compiled model, a `.mom`: a keyed archive of an `NSManagedObjectModel`.
///
/// Entities and properties are written by name, so that the same model gives the same bytes.
struct CompiledModelWriter {
  /// The destination of the archive, which decides its form.
  enum Form {
    /// In a `.mom`, as Apple's compiler writes it.
    case file
    /// In a store, as Apple's framework writes it there.
    case cache
  }

  let document: ModelDocument
  let module: String?
  var archive = KeyedArchiveWriter()
  /// The numbers of the entities, by name.
  var entities: [String: Int] = [:]
  /// The numbers of the relationships, by the name of the entity that declares them and their own.
  var relationships: [String: [String: Int]] = [:]
  let entitiesByName: [String: ModelDocument.Entity]
  let compositesByName: [String: ModelDocument.Composite]
  private let form: Form

  /// - Parameter document: a document that has been checked.
  init(_ document: ModelDocument, form: Form, module: String?) {
    var document = document
    document.entities.sort { BinaryOrder.isLess($0.name, right: $1.name) }
    for index in document.entities.indices {
      document.entities[index].attributes.sort { BinaryOrder.isLess($0.name, right: $1.name) }
      document.entities[index].relationships.sort { BinaryOrder.isLess($0.name, right: $1.name) }
      document.entities[index].fetchedProperties.sort { BinaryOrder.isLess($0.name, right: $1.name) }
    }
    self.document = document
    self.form = form
    self.module = module
    entitiesByName = Dictionary(document.entities.map { ($0.name, $0) }) { first, _ in first }
    compositesByName = Dictionary(document.composites.map { ($0.name, $0) }) { first, _ in first }
  }

  /// - Throws: `ModelFileError` if a value does not have its attribute's type.
  mutating func data() throws(ModelFileError) -> Data {
    let model = archive.reserve()
    for entity in document.entities {
      entities[entity.name] = archive.reserve()
      relationships[entity.name] = Dictionary(
        entity.relationships.map { ($0.name, archive.reserve()) },
        uniquingKeysWith: { first, _ in first }
      )
    }
    for entity in document.entities { try define(entity, model: model) }
    var fields: [KeyedArchiveWriter.Field] = [("NSEntities", .uid(entityDictionary()))]
    fields.append(("NSFetchRequestTemplates", .uid(templates())))
    let identifiers = document.versionIdentifier.map { [archive.string($0)] } ?? []
    fields.append(("NSVersionIdentifiers", .uid(archive.collection(.set, uids: identifiers))))
    fields += configurations()
    var details = ArchivedDetails(part: document, names: ["sourceLanguage", "usedWithCloudKit", "usedWithSwiftData"])
    // Xcode's type is the default, so that only another type is written.
    if document.type != ModelDocument.xcodeType { details.append("type", text: document.type) }
    if document.documentVersion != "1.0" { details.append("documentVersion", text: document.documentVersion) }
    fields += details.fields(in: &archive)
    archive.define(model, type: .model, fields: fields)
    return archive.data(root: model)
  }

  private mutating func entityDictionary() -> Int {
    let entries = document.entities.compactMap { entity in
      entities[entity.name].map { (key: entity.name, uid: $0) }
    }
    if form == .file { return archive.dictionary(.mutableDictionary, entries) }
    let names = entries.map { archive.string($0.key) }
    let keys = archive.collection(.array, uids: names)
    let mapping = archive.object(
      .knownKeysMapping,
      fields: [("length", .integer(Int64(entries.count))), ("keys", .uid(keys)), ("version", .integer(1))]
    )
    let values = archive.collection(.array, uids: entries.map(\.uid))
    // Apple's framework archives this text instead of a missing value.
    let token = archive.string("__empty_slot_token_4c24_98dc_ac1e_b773__")
    return archive.object(
      .knownKeysDictionary,
      fields: [
        ("searchMapping", .uid(mapping)), ("values", .uid(values)), ("emptyToken", .uid(token)),
        ("version", .integer(1)),
      ]
    )
  }

  private mutating func templates() -> Int {
    if document.fetchRequests.isEmpty { return 0 }
    let sorted = document.fetchRequests.sorted { BinaryOrder.isLess($0.name, right: $1.name) }
    var entries: [(key: String, uid: Int)] = []
    for request in sorted where entries.last?.key != request.name {
      entries.append((request.name, add(request, defaultName: request.name)))
    }
    return archive.dictionary(.mutableDictionary, entries)
  }

  private mutating func configurations() -> [KeyedArchiveWriter.Field] {
    if document.configurations.isEmpty { return [] }
    let sorted = document.configurations.sorted { BinaryOrder.isLess($0.name, right: $1.name) }
    var entries: [(key: String, uid: Int)] = []
    for configuration in sorted {
      let members = Set(configuration.members.map(\.name)).sorted(by: BinaryOrder.isLess)
      entries.append(
        (configuration.name, archive.collection(.set, uids: members.compactMap { entities[$0] }))
      )
    }
    var fields: [KeyedArchiveWriter.Field] = [
      ("NSConfigurations", .uid(archive.dictionary(.mutableDictionary, entries)))
    ]
    let inCloud = sorted.filter(\.isUsedWithCloudKit).map { archive.string($0.name) }
    if !inCloud.isEmpty {
      fields.append((ArchivedDetails.cloudConfigurationsKey, .uid(archive.collection(.array, uids: inCloud))))
    }
    return fields
  }
}

extension ModelDocument {
  /// The kind of file that Xcode's model editor writes.
  static let xcodeType = "com.apple.IDECoreDataModeler.DataModel"
}
