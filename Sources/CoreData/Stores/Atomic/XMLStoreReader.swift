import Foundation
import FoundationXML

/// Reads a store in XML.
struct XMLStoreReader {
  let file: URL
  private let root: XMLElement

  init(_ data: Data, file: URL) throws {
    self.file = file
    guard let document = try? XMLDocument(data: data, options: [.nodeLoadExternalEntitiesNever]),
      let root = document.rootElement(), root.name == "database"
    else { throw AtomicFailure.otherFormat("store in XML", file) }
    self.root = root
  }

  var objects: [XMLElement] { root.elements(forName: "object") }

  private var info: XMLElement? { root.elements(forName: "databaseInfo").first }

  private func word(_ name: String) -> String? { info?.elements(forName: name).first?.stringValue }

  /// The last key that was given out.
  var lastKey: Int64 { word("nextObjectID").flatMap { Int64($0) } ?? 0 }

  func metadata() throws -> SQLiteMetadata {
    let list = info?.elements(forName: "metadata").first?.elements(forName: "plist").first
    let data = Data((list?.xmlString ?? "<plist version=\"1.0\"><dict/></plist>").utf8)
    let properties = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    guard let properties = properties as? [String: Any] else {
      throw AtomicFailure.otherFormat("store in XML with metadata that can be read", file)
    }
    return SQLiteMetadata(uuid: word("UUID") ?? "", properties: properties)
  }

  func document(_ model: NSManagedObjectModel) throws -> AtomicDocument {
    var document = AtomicDocument(metadata: try metadata())
    document.lastKey = lastKey
    let entities = Dictionary(
      model.entities.map { (($0.name ?? "").uppercased(), $0) },
      uniquingKeysWith: { first, _ in first }
    )
    for element in objects { document.objects.append(try object(element, entities)) }
    return document
  }

  private func object(_ element: XMLElement, _ entities: [String: NSEntityDescription]) throws
    -> AtomicDocument.Object
  {
    let id = element.attribute(forName: "id")?.stringValue ?? ""
    let type = element.attribute(forName: "type")?.stringValue ?? ""
    guard let entity = entities[type] else { throw AtomicFailure.unknownEntity(type, id, file) }
    guard let key = Self.key(id) else {
      throw AtomicFailure.otherFormat(
        "store in XML whose objects have IDs such as z102 (\"\(id)\" is none)",
        file
      )
    }
    var object = AtomicDocument.Object(key: key, entity: entity)
    let attributes = Self.byLowercaseName(entity.attributesByName)
    for child in element.elements(forName: "attribute") {
      guard let attribute = attributes[child.attribute(forName: "name")?.stringValue ?? ""] else { continue }
      let text = Self.unescaped(child.stringValue ?? "")
      guard let value = AtomicValue(attribute: attribute).value(text) else {
        throw AtomicFailure.wrongValue(text, attribute, id, file)
      }
      object.values[attribute.name] = value
    }
    let relationships = Self.byLowercaseName(entity.relationshipsByName)
    for child in element.elements(forName: "relationship") {
      guard let relationship = relationships[child.attribute(forName: "name")?.stringValue ?? ""] else {
        continue
      }
      let ids = child.attribute(forName: "idrefs")?.stringValue ?? ""
      object.destinations[relationship.name] = ids.split(separator: " ").compactMap { Self.key(String($0)) }
    }
    return object
  }

  private static func byLowercaseName<Property>(_ properties: [String: Property]) -> [String: Property] {
    Dictionary(properties.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  private static func key(_ id: String) -> Int64? {
    id.first == "z" ? Int64(id.dropFirst()).flatMap { $0 > 0 ? $0 : nil } : nil
  }

  /// The text whose control characters were written as `\u` and four digits.
  private static func unescaped(_ text: String) -> String {
    guard text.contains("\\") else { return text }
    var result = ""
    var rest = Substring(text)
    while let backslash = rest.firstIndex(of: "\\") {
      result += rest[..<backslash]
      rest = rest[rest.index(after: backslash)...]
      if rest.first == "\\" {
        result += "\\"
        rest = rest.dropFirst()
      } else if rest.first == "u", let code = UInt32(rest.dropFirst().prefix(4), radix: 16),
        let scalar = Unicode.Scalar(code)
      {
        result.unicodeScalars.append(scalar)
        rest = rest.dropFirst(5)
      } else {
        result += "\\"
      }
    }
    return result + rest
  }
}
