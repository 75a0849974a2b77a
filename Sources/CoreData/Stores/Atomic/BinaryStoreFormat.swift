import Foundation

/// A binary property list with the metadata and the objects.
///
/// What Apple's framework writes for `NSBinaryStoreType` is an archive of private classes; this is another format.
enum BinaryStoreFormat: AtomicFormat {
  static let storeType = NSBinaryStoreType
  private static let version = 1

  private enum Key {
    static let format = "PerennialBinaryStore"
    static let identifier = "identifier"
    static let metadata = "metadata"
    static let lastKey = "lastKey"
    static let objects = "objects"
    static let key = "key"
    static let entity = "entity"
    static let values = "values"
    static let destinations = "destinations"
  }

  static func data(of document: AtomicDocument) throws -> Data {
    let objects = try document.objects.map { object -> [String: Any] in
      let attributes = object.entity.attributesByName
      var values: [String: Any] = [:]
      for (name, value) in object.values {
        guard let attribute = attributes[name] else { continue }
        values[name] = try Self.object(value, AtomicValue(attribute: attribute))
      }
      return [
        Key.key: object.key, Key.entity: object.entity.name ?? "", Key.values: values,
        Key.destinations: object.destinations,
      ]
    }
    return try data(of: objects, document.metadata, document.lastKey)
  }

  static func data(_ data: Data, with metadata: SQLiteMetadata, file: URL) throws -> Data {
    let list = try list(data, file)
    return try self.data(
      of: list[Key.objects] as? [[String: Any]] ?? [],
      metadata,
      (list[Key.lastKey] as? NSNumber)?.int64Value ?? 0
    )
  }

  private static func data(
    of objects: [[String: Any]],
    _ metadata: SQLiteMetadata,
    _ lastKey: Int64
  ) throws -> Data {
    let list: [String: Any] = [
      Key.format: version, Key.identifier: metadata.uuid, Key.metadata: metadata.properties,
      Key.lastKey: lastKey, Key.objects: objects,
    ]
    return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
  }

  static func metadata(in data: Data, file: URL) throws -> SQLiteMetadata { metadata(try list(data, file)) }

  static func document(in data: Data, file: URL, model: NSManagedObjectModel) throws -> AtomicDocument {
    let list = try list(data, file)
    var document = AtomicDocument(metadata: metadata(list))
    document.lastKey = (list[Key.lastKey] as? NSNumber)?.int64Value ?? 0
    for item in list[Key.objects] as? [[String: Any]] ?? [] {
      let (name, key) = (item[Key.entity] as? String ?? "", (item[Key.key] as? NSNumber)?.int64Value ?? 0)
      guard let entity = model.entitiesByName[name] else {
        throw AtomicFailure.unknownEntity(name, "\(key)", file)
      }
      var object = AtomicDocument.Object(key: key, entity: entity)
      object.destinations = (item[Key.destinations] as? [String: [NSNumber]] ?? [:]).mapValues {
        $0.map(\.int64Value)
      }
      for (name, value) in item[Key.values] as? [String: Any] ?? [:] {
        guard let attribute = entity.attributesByName[name] else { continue }
        guard let stored = stored(value, AtomicValue(attribute: attribute)) else {
          throw AtomicFailure.wrongValue("\(value)", attribute, "\(key)", file)
        }
        object.values[name] = stored
      }
      document.objects.append(object)
    }
    return document
  }

  private static func metadata(_ list: [String: Any]) -> SQLiteMetadata {
    SQLiteMetadata(
      uuid: list[Key.identifier] as? String ?? "",
      properties: list[Key.metadata] as? [String: Any] ?? [:]
    )
  }

  private static func list(_ data: Data, _ file: URL) throws -> [String: Any] {
    guard let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
      let list = list as? [String: Any], let found = (list[Key.format] as? NSNumber)?.intValue
    else { throw AtomicFailure.otherFormat("binary store of this framework", file) }
    guard found <= version else {
      throw AtomicFailure.otherFormat("binary store of a version up to \(version) (it is \(found))", file)
    }
    return list
  }

  /// Numbers, texts and data as they are; what a property list has no type for as text.
  private static func object(_ value: StoredValue, _ coding: AtomicValue) throws -> Any {
    switch value {
    case .integer(let value): value
    case .real(let value): value
    case .text(let value): value
    case .data(let value): value
    case .object(let object) where !(object is URL): try coding.data(object)
    default: try coding.text(value)
    }
  }

  private static func stored(_ value: Any, _ coding: AtomicValue) -> StoredValue? {
    switch value {
    case let data as Data: coding.value(data)
    case let text as String: coding.value(text)
    case let number as NSNumber:
      switch coding.attribute.attributeType {
      case .doubleAttributeType, .floatAttributeType, .dateAttributeType: .real(number.doubleValue)
      default: .integer(number.int64Value)
      }
    default: nil
    }
  }
}
