import Foundation
import FoundationXML
import PropertyLists

/// The format of Apple's `NSXMLStoreType`, as seen in mapping models, which are such stores.
///
/// Names of entities are in upper case, those of properties in lower case. Object IDs are numbers after a `z`.
enum XMLStoreFormat: AtomicFormat {
  static let storeType = NSXMLStoreType

  static func data(of document: AtomicDocument) throws -> Data {
    // What could not be read again is not written.
    if let model = document.objects.first?.entity.model { _ = try XMLStoreNames(model) }
    var text = try head(document.metadata, lastKey: document.lastKey)
    for object in document.objects { text += try self.text(of: object) }
    return Data((text + "</database>\n").utf8)
  }

  static func data(_ data: Data, with metadata: StoreMetadata, file: URL) throws -> Data {
    let store = try XMLStoreReader(data, file: file)
    let lastKey = try store.metadata().lastKey
    return Data(try head(metadata, lastKey: lastKey).utf8) + (try store.objectBytes())
  }

  static func metadata(in data: Data, file: URL) throws -> StoreMetadata {
    try XMLStoreReader(data, file: file).metadata().metadata
  }

  static func document(
    in data: Data,
    file: URL,
    model: NSManagedObjectModel,
    ignoresUnknown: Bool
  ) throws -> AtomicDocument {
    try XMLStoreReader(data, file: file).document(model, ignoresUnknown: ignoresUnknown)
  }

  // MARK: - Writing

  private static func head(_ metadata: StoreMetadata, lastKey: Int64) throws -> String {
    // The store's type is not written: the format tells it.
    let properties = metadata.properties.filter { $0.key != NSStoreTypeKey }
    let form = MetadataForm(write: { try list($0) }, hasWholeSeconds: true)
    let text = String(decoding: try form.data(of: properties, store: nil), as: UTF8.self)
    return """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>\(escaped(metadata.uuid))</UUID>
              <nextObjectID>\(lastKey)</nextObjectID>
              <metadata>
      \(text)
              </metadata>
          </databaseInfo>

      """
  }

  /// The element of a property list, unchanged, because its lines may be those of a text.
  ///
  /// - Throws: `CocoaError.propertyListWriteInvalid` for texts with characters that XML cannot contain. Foundation writes
  ///   them, but no XML parser reads such a file.
  private static func list(_ properties: [String: Any]) throws -> Data {
    let data = try PropertyListSerialization.data(fromPropertyList: properties, format: .xml, options: 0)
    guard String(decoding: data, as: UTF8.self).unicodeScalars.allSatisfy({ !isOutsideXML($0) }) else {
      throw CocoaError(.propertyListWriteInvalid)
    }
    guard let start = data.range(of: Data("<plist".utf8)) else { return data }
    var list = Data()
    for byte in data[start.lowerBound...] {
      // An XML parser turns carriage returns into line feeds: <https://www.w3.org/TR/xml/#sec-line-ends>.
      if byte == UInt8(ascii: "\r") { list += Data("&#13;".utf8) } else { list.append(byte) }
    }
    return list
  }

  private static func text(of object: AtomicDocument.Object) throws -> String {
    let type = escaped((object.entity.name ?? "").uppercased())
    var text = "    <object type=\"\(type)\" id=\"z\(object.key)\">\n"
    for (name, attribute) in object.entity.attributesByName.sorted(by: { $0.key < $1.key }) {
      guard let value = object.values[name] else { continue }
      let coding = AtomicValue(attribute: attribute)
      text += "        <attribute name=\"\(escaped(name.lowercased()))\" type=\"\(coding.typeName)\">"
      text += "\(escaped(try coding.text(value)))</attribute>\n"
    }
    for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
    where !relationship.isTransient {
      text += self.text(of: relationship, destinations: object.destinations[name] ?? [])
    }
    return text + "    </object>\n"
  }

  private static func text(of relationship: NSRelationshipDescription, destinations: [Int64]) -> String {
    let count = relationship.isToMany ? "0/0" : "1/1"
    let destination = escaped((relationship.destinationEntity?.name ?? "").uppercased())
    let ids = destinations.map { "z\($0)" }.joined(separator: " ")
    return "        <relationship name=\"\(escaped(relationship.name.lowercased()))\" type=\"\(count)\" "
      + "destination=\"\(destination)\"\(ids.isEmpty ? "" : " idrefs=\"\(ids)\"")></relationship>\n"
  }

  /// XML has no words for most control characters; they are written as `\u` and four digits, a backslash as two.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\r": escaped += "&#13;"
      case "\\": escaped += "\\\\"
      case _ where isOutsideXML(scalar):
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// True for a character that no XML has. <https://www.w3.org/TR/xml/#charsets>
  private static func isOutsideXML(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{0}"..<"\u{9}", "\u{b}", "\u{c}", "\u{e}"..<"\u{20}", "\u{fffe}", "\u{ffff}": true
    default: false
    }
  }
}

/// Reads a store in XML, and takes nothing of a file that is damaged.
struct XMLStoreReader {
  private let data: Data
  private let file: URL
  private let text: XMLStoreText

  init(_ data: Data, file: URL) throws {
    self.data = data
    self.file = file
    text = try XMLStoreText(data, file: file)
  }

  /// The store's metadata, and the last key that was assigned.
  func metadata() throws -> (metadata: StoreMetadata, lastKey: Int64) {
    let parser = try XMLStoreParser(data, file: file, model: nil)
    return (try metadata(parser), parser.lastKey)
  }

  /// The bytes after the store's metadata: its objects, unchanged, and the end.
  func objectBytes() throws -> Data {
    guard let start = text.objects else { throw AtomicFailure.otherFormat("store in XML", file: file) }
    return data.dropFirst(start).drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
  }

  /// - Throws: an error that names the file and the line.
  func document(_ model: NSManagedObjectModel, ignoresUnknown: Bool) throws -> AtomicDocument {
    let parser = try XMLStoreParser(data, file: file, model: model, ignoresUnknown: ignoresUnknown)
    var document = AtomicDocument(metadata: try metadata(parser))
    document.lastKey = parser.lastKey
    document.objects = parser.objects
    let lines = parser.lines
    try AtomicDocumentCheck(document: document, file: file) { "line \(lines[$0])" }.run()
    return document
  }

  private func metadata(_ parser: XMLStoreParser) throws -> StoreMetadata {
    guard let range = text.metadata else { return StoreMetadata(uuid: parser.identifier, properties: [:]) }
    let list = data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound]
    guard let properties = try? CheckedPropertyList.read(Data(list)) as? [String: Any] else {
      throw AtomicFailure.otherFormat("store in XML with metadata that can be read", file: file)
    }
    return StoreMetadata(uuid: parser.identifier, properties: properties)
  }
}

/// The names that a store in XML has for a model: entities in upper case, properties in lower case.
struct XMLStoreNames {
  struct Entity {
    let description: NSEntityDescription
    let attributes: [String: NSAttributeDescription]
    let relationships: [String: NSRelationshipDescription]
  }

  let entities: [String: Entity]

  /// - Throws: an error for a model with names that differ in nothing but the case of their letters.
  init(_ model: NSManagedObjectModel) throws {
    var entities: [String: Entity] = [:]
    for description in model.entities {
      let name = description.name ?? ""
      let entity = Entity(
        description: description,
        attributes: try Self.lowercased(description.attributesByName, in: name),
        relationships: try Self.lowercased(description.relationshipsByName, in: name)
      )
      if let other = entities.updateValue(entity, forKey: name.uppercased()) {
        throw Self.ambiguous(other.description.name ?? "", other: name)
      }
    }
    self.entities = entities
  }

  private static func lowercased<Property>(
    _ properties: [String: Property],
    in entity: String
  ) throws -> [String: Property] {
    var names: [String: (name: String, property: Property)] = [:]
    for (name, property) in properties {
      if let other = names.updateValue((name, property), forKey: name.lowercased()) {
        throw ambiguous("\(entity).\(other.name)", other: "\(entity).\(name)")
      }
    }
    return names.mapValues(\.property)
  }

  private static func ambiguous(_ one: String, other: String) -> any Error {
    StoreFailure.incompatibleSchema(
      """
      \(one) and \(other) differ in nothing but the case of their letters, which stores in XML do not keep; rename one, \
      or use a store of another type.
      """
    )
  }
}
