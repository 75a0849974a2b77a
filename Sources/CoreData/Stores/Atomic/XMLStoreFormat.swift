import Foundation

/// The format of Apple's `NSXMLStoreType`, as seen in mapping models, which are such stores.
///
/// Names of entities are in upper case, those of properties in lower case. Object IDs are numbers
/// after a `z`.
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
    let data = try PropertyListSerialization.data(fromPropertyList: properties, format: .xml, options: 0)
    let text = String(decoding: data, as: UTF8.self)
    let list = text.range(of: "<plist").map { String(text[$0.lowerBound...]) } ?? ""
    let lines = list.split(separator: "\n").map { "            \($0)" }.joined(separator: "\n")
    return """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>\(escaped(metadata.uuid))</UUID>
              <nextObjectID>\(lastKey)</nextObjectID>
              <metadata>
      \(lines)
              </metadata>
          </databaseInfo>

      """
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
      text += self.text(of: relationship, object.destinations[name] ?? [])
    }
    return text + "    </object>\n"
  }

  private static func text(of relationship: NSRelationshipDescription, _ destinations: [Int64]) -> String {
    let count = relationship.isToMany ? "0/0" : "1/1"
    let destination = escaped((relationship.destinationEntity?.name ?? "").uppercased())
    let ids = destinations.map { "z\($0)" }.joined(separator: " ")
    return "        <relationship name=\"\(escaped(relationship.name.lowercased()))\" type=\"\(count)\" "
      + "destination=\"\(destination)\"\(ids.isEmpty ? "" : " idrefs=\"\(ids)\"")></relationship>\n"
  }

  /// XML has no words for most control characters; they are written as `\u` and four digits, a
  /// backslash as two.
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
      case "\u{0}"..<"\u{9}", "\u{b}", "\u{c}", "\u{e}"..<"\u{20}", "\u{fffe}", "\u{ffff}":
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
