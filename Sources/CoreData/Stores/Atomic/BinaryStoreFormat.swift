import Foundation
import PropertyLists

/// A binary property list with the metadata and the objects.
///
/// Apple's framework writes an archive of private classes for `NSBinaryStoreType`; this is another format.
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
        values[name] = try Self.object(value, coding: AtomicValue(attribute: attribute))
      }
      return [
        Key.key: object.key, Key.entity: object.entity.name ?? "", Key.values: values,
        Key.destinations: object.destinations,
      ]
    }
    return try data(of: objects, metadata: document.metadata, lastKey: document.lastKey)
  }

  static func data(_ data: Data, with metadata: StoreMetadata, file: URL) throws -> Data {
    let list = try list(data, file: file)
    return try self.data(of: objects(list, file: file), metadata: metadata, lastKey: lastKey(list, file: file))
  }

  private static func data(of objects: [[String: Any]], metadata: StoreMetadata, lastKey: Int64) throws -> Data {
    // What could not be read again is not written.
    _ = try MetadataForm.binary.data(of: metadata.properties, store: nil)
    let list: [String: Any] = [
      Key.format: version, Key.identifier: metadata.uuid, Key.metadata: metadata.properties,
      Key.lastKey: lastKey, Key.objects: objects,
    ]
    return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
  }

  static func metadata(in data: Data, file: URL) throws -> StoreMetadata {
    try metadata(try list(data, file: file), file: file)
  }

  static func document(
    in data: Data,
    file: URL,
    model: NSManagedObjectModel,
    ignoresUnknown: Bool
  ) throws -> AtomicDocument {
    let list = try list(data, file: file)
    var document = AtomicDocument(metadata: try metadata(list, file: file))
    document.lastKey = try lastKey(list, file: file)
    for (index, item) in try objects(list, file: file).enumerated() {
      document.objects.append(
        try object(item, number: index + 1, model: model, file: file, ignoresUnknown: ignoresUnknown)
      )
    }
    try AtomicDocumentCheck(document: document, file: file) { "object number \($0 + 1)" }.run()
    return document
  }

  // MARK: - Reading

  private static func object(
    _ item: [String: Any],
    number: Int,
    model: NSManagedObjectModel,
    file: URL,
    ignoresUnknown: Bool
  ) throws -> AtomicDocument.Object {
    guard let name = item[Key.entity] as? String, let key = integer(item[Key.key]),
      let values = item[Key.values] as? [String: Any],
      let destinations = item[Key.destinations] as? [String: [Any]]
    else { throw AtomicFailure.brokenList("the object number \(number) lacks a part", file: file) }
    guard let entity = model.entitiesByName[name] else {
      throw AtomicFailure.unknownEntity(name, object: "\(key)", file: file)
    }
    var object = AtomicDocument.Object(key: key, entity: entity)
    for (name, list) in destinations {
      if ignoresUnknown, entity.relationshipsByName[name] == nil { continue }
      let keys = list.compactMap(integer)
      guard keys.count == list.count, entity.relationshipsByName[name]?.isTransient == false else {
        throw AtomicFailure.brokenList("the object \(key) has no relationship \(name) such as the model's", file: file)
      }
      object.destinations[name] = keys
    }
    for (name, value) in values {
      if ignoresUnknown, entity.attributesByName[name] == nil { continue }
      guard let attribute = entity.attributesByName[name], !attribute.isTransient else {
        throw AtomicFailure.brokenList("the object \(key) has a value of \(name), which the model does not", file: file)
      }
      guard let stored = stored(value, coding: AtomicValue(attribute: attribute)) else {
        throw AtomicFailure.wrongValue("\(value)", attribute: attribute, object: "\(key)", file: file)
      }
      object.values[name] = stored
    }
    return object
  }

  private static func metadata(_ list: [String: Any], file: URL) throws -> StoreMetadata {
    guard let uuid = list[Key.identifier] as? String, let properties = list[Key.metadata] as? [String: Any]
    else { throw AtomicFailure.brokenList("the store says nothing of itself", file: file) }
    return StoreMetadata(uuid: uuid, properties: properties)
  }

  private static func objects(_ list: [String: Any], file: URL) throws -> [[String: Any]] {
    guard let objects = list[Key.objects] as? [[String: Any]] else {
      throw AtomicFailure.brokenList("the store has no list of objects", file: file)
    }
    return objects
  }

  private static func lastKey(_ list: [String: Any], file: URL) throws -> Int64 {
    guard let key = integer(list[Key.lastKey]), (0...AtomicDocument.largestKey).contains(key) else {
      throw AtomicFailure.brokenList("the last ID that was given out is out of range", file: file)
    }
    return key
  }

  private static func list(_ data: Data, file: URL) throws -> [String: Any] {
    let list: [String: Any]
    do throws(CheckedPropertyList.Failure) {
      guard let read = try CheckedPropertyList.read(data) as? [String: Any] else {
        throw CheckedPropertyList.Failure(problem: "it is not a dictionary")
      }
      list = read
    } catch {
      throw AtomicFailure.otherFormat("binary store of this framework (\(error.problem))", file: file)
    }
    guard let found = integer(list[Key.format]) else {
      throw AtomicFailure.otherFormat("binary store of this framework", file: file)
    }
    guard found <= Int64(version) else {
      throw AtomicFailure.otherFormat("binary store of a version up to \(version) (it is \(found))", file: file)
    }
    return list
  }

  /// The whole number that a value is; `nil` for a fraction, and for one without a sign that 64
  /// bits with one cannot hold.
  private static func integer(_ value: Any?) -> Int64? {
    guard let number = value as? NSNumber else { return nil }
    let integer = number.int64Value
    return number == NSNumber(value: integer) ? integer : nil
  }

  /// Numbers, texts and data are unchanged; values of types that a property list lacks become text.
  private static func object(_ value: StoredValue, coding: AtomicValue) throws -> Any {
    switch value {
    case .integer(let value): value
    case .real(let value): value
    case .text(let value): value
    case .data(let value): value
    case .object(let object) where !(object is URL): try coding.data(object)
    default: try coding.text(value)
    }
  }

  private static func stored(_ value: Any, coding: AtomicValue) -> StoredValue? {
    let type = coding.attribute.attributeType
    switch value {
    case let data as Data:
      switch type {
      case .binaryDataAttributeType, .transformableAttributeType, .compositeAttributeType,
        .undefinedAttributeType:
        return coding.value(data)
      default: return nil
      }
    case let text as String: return coding.value(text)
    case let number as NSNumber:
      switch type {
      case .doubleAttributeType, .floatAttributeType, .dateAttributeType: return .real(number.doubleValue)
      case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
        return integer(number).map(StoredValue.integer)
      case .undefinedAttributeType, .decimalAttributeType, .stringAttributeType, .binaryDataAttributeType,
        .UUIDAttributeType, .URIAttributeType, .transformableAttributeType, .objectIDAttributeType,
        .compositeAttributeType:
        return nil
      }
    default: return nil
    }
  }
}
