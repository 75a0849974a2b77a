package import Foundation
import PropertyLists

extension MappingDocument {
  /// Reads a compiled mapping model, a `.cdm`: a keyed archive of an `NSMappingModel`.
  ///
  /// - Parameter file: the name by which errors call the file.
  /// - Throws: `ModelFileError` if the data is not such an archive, or contains an expression that cannot be parsed.
  package init(compiled data: Data, file: String? = nil) throws(ModelFileError) {
    self = try CompiledMappingReader(data, file: file).document()
  }
}

/// Reads a compiled mapping model.
struct CompiledMappingReader {
  private let archive: KeyedArchive
  private let expressions: ArchivedExpression

  init(_ data: Data, file: String?) throws(ModelFileError) {
    archive = try KeyedArchive(data, file: file)
    expressions = ArchivedExpression(archive: archive)
  }

  func document() throws(ModelFileError) -> MappingDocument {
    let model = try archive.rootInstance()
    guard model.className == "NSMappingModel" else {
      throw archive.error(model.className, problem: "the archive holds this class and no NSMappingModel")
    }
    var document = MappingDocument()
    for mapping in try instances(model, key: "NSEntityMappings") {
      document.entityMappings.append(try readEntity(mapping))
    }
    return document
  }

  private func readEntity(_ archived: ArchivedInstance) throws(ModelFileError) -> MappingDocument.EntityMapping {
    let number = try archived.integer("NSMappingType") ?? 0
    guard let type = UInt(exactly: number) else {
      throw archive.error("NSMappingType", problem: "\(number) is not a type of an entity mapping")
    }
    var mapping = MappingDocument.EntityMapping(name: try archived.string("NSMappingName") ?? "", type: type)
    mapping.sourceEntity = try archived.string("NSSourceEntityName")
    mapping.sourceVersionHash = try data(archived, key: "NSSourceEntityVersionHash")
    mapping.destinationEntity = try archived.string("NSDestinationEntityName")
    mapping.destinationVersionHash = try data(archived, key: "NSDestinationEntityVersionHash")
    mapping.policyClassName = try archived.string("NSEntityMigrationPolicyClassName")
    mapping.userInfo = try userInfo(archived)
    if let expression = try archived.instance("NSSourceExpression") {
      mapping.sourceExpression = try expressions.text(of: expression)
    }
    for property in try instances(archived, key: "NSAttributeMappings") {
      mapping.attributes.append(try readProperty(property))
    }
    for property in try instances(archived, key: "NSRelationshipMappings") {
      mapping.relationships.append(try readProperty(property))
    }
    return mapping
  }

  private func readProperty(_ archived: ArchivedInstance) throws(ModelFileError) -> MappingDocument.PropertyMapping {
    var mapping = MappingDocument.PropertyMapping(name: try archived.string("NSDestinationPropertyName") ?? "")
    if let expression = try archived.instance("NSValueExpression") {
      mapping.valueExpression = try expressions.text(of: expression)
    }
    mapping.userInfo = try userInfo(archived)
    return mapping
  }

  private func instances(_ owner: ArchivedInstance, key: String) throws(ModelFileError) -> [ArchivedInstance] {
    var found: [ArchivedInstance] = []
    for uid in try owner.instance(key)?.elements() ?? [] {
      if let instance = try archive.instance(uid) { found.append(instance) }
    }
    return found
  }

  private func data(_ owner: ArchivedInstance, key: String) throws(ModelFileError) -> Data? {
    if case .data(let data)? = try owner.value(key) { return data }
    guard case .data(let data)? = try owner.instance(key)?.value("NS.data") else { return nil }
    return data
  }

  private func userInfo(_ owner: ArchivedInstance) throws(ModelFileError) -> [String: String] {
    var info: [String: String] = [:]
    for (key, uid) in try owner.instance("NSUserInfo")?.entries() ?? [] { info[key] = try archive.text(uid) }
    return info
  }
}
