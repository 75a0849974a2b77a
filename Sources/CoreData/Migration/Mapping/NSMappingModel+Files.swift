public import Foundation
import ModelFormats
import Predicates

extension NSMappingModel {
  /// Reads a compiled mapping model, a `.cdm`.
  ///
  /// Apple has no such method; it is `init(contentsOf:)` with an error.
  ///
  /// - Throws: an error of `NSCocoaErrorDomain` that names the file and what is wrong in it.
  public static func load(contentsOf url: URL) throws -> NSMappingModel {
    let document = try MappingDocument(compiled: data(url), file: url.path)
    return try NSMappingModel(document: document, file: url.path)
  }

  /// Reads a mapping model as Xcode edits it, an `.xcmappingmodel`, or a compiled one.
  ///
  /// Apple's framework reads compiled files only. The values that Xcode adds when it compiles the
  /// file are added here, from the two models.
  ///
  /// - Throws: an error of `NSCocoaErrorDomain` that names the file and what is wrong in it.
  public static func load(
    contentsOf url: URL,
    forSourceModel sourceModel: NSManagedObjectModel,
    destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    guard url.pathExtension == "xcmappingmodel" else { return try load(contentsOf: url) }
    let file = url.appendingPathComponent("xcmapping.xml")
    let document = try MappingDocument(
      source: data(file),
      from: ModelDocument(sourceModel),
      to: ModelDocument(destinationModel),
      file: file.path
    )
    let model = try NSMappingModel(document: document, file: file.path)
    for mapping in model.mappings {
      mapping.sourceEntityVersionHash = mapping.sourceEntityName.flatMap { sourceModel.entityVersionHashesByName[$0] }
      mapping.destinationEntityVersionHash = mapping.destinationEntityName.flatMap {
        destinationModel.entityVersionHashesByName[$0]
      }
    }
    return model
  }

  private static func data(_ url: URL) throws -> Data {
    do {
      return try Data(contentsOf: url)
    } catch {
      throw CocoaError.coreData(
        CocoaError.fileReadUnknown.rawValue,
        message: "\(url.path): the mapping model cannot be read: \(error.localizedDescription)",
        userInfo: [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error]
      )
    }
  }

  /// Makes a mapping model of a document.
  ///
  /// - Throws: an error that names the mapping and the property whose expression cannot be parsed.
  convenience init(document: MappingDocument, file: String) throws {
    self.init()
    entityMappings = try document.entityMappings.map { try NSEntityMapping($0, file: file) }
  }
}

extension NSEntityMapping {
  fileprivate convenience init(_ part: MappingDocument.EntityMapping, file: String) throws {
    self.init()
    name = part.name
    mappingType = NSEntityMappingType(rawValue: part.type) ?? .undefinedEntityMappingType
    sourceEntityName = part.sourceEntity
    sourceEntityVersionHash = part.sourceVersionHash
    destinationEntityName = part.destinationEntity
    destinationEntityVersionHash = part.destinationVersionHash
    entityMigrationPolicyClassName = part.policyClassName
    userInfo = part.userInfo.isEmpty ? nil : part.userInfo
    sourceExpression = try part.sourceExpression.map {
      try Self.expression($0, place: "\(file): mapping \(part.name), source expression")
    }
    attributeMappings = try part.attributes.map { try Self.propertyMapping($0, of: part, file: file) }
    relationshipMappings = try part.relationships.map { try Self.propertyMapping($0, of: part, file: file) }
  }

  private static func propertyMapping(
    _ part: MappingDocument.PropertyMapping,
    of mapping: MappingDocument.EntityMapping,
    file: String
  ) throws -> NSPropertyMapping {
    let property = NSPropertyMapping()
    property.name = part.name
    property.userInfo = part.userInfo.isEmpty ? nil : part.userInfo
    property.valueExpression = try part.valueExpression.map {
      try expression($0, place: "\(file): mapping \(mapping.name), property \(part.name)")
    }
    return property
  }

  private static func expression(_ format: String, place: String) throws -> NSExpression {
    do {
      return try NSExpression(parsing: format)
    } catch {
      throw StoreFailure.corruptFile("\(place): \"\(format)\" is not an expression: \(error)")
    }
  }
}

extension NSMappingModel {
  // Sources pass on the `NSURL`s that `Bundle.urls(forResourcesWithExtension:subdirectory:)` returns outside of Apple's
  // platforms.
  /// Reads a compiled mapping model; see ``init(contentsOf:)-(URL?)``.
  public convenience init?(contentsOf url: NSURL) { self.init(contentsOf: url as URL) }
}
