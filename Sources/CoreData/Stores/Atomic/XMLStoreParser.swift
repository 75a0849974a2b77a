import Foundation
import FoundationXML

/// Makes the objects of a store in XML while its file is parsed.
final class XMLStoreParser: NSObject, XMLParserDelegate {
  private(set) var identifier = ""
  /// The last key that was assigned.
  private(set) var lastKey: Int64 = 0
  private(set) var objects: [AtomicDocument.Object] = []
  /// The line of each object.
  private(set) var lines: [Int] = []

  private let file: URL
  private let names: XMLStoreNames?
  private let ignoresUnknown: Bool
  private var path: [String] = []
  private var content = ""
  private var entity: XMLStoreNames.Entity?
  private var attribute: NSAttributeDescription?
  private var id = ""
  private var hasInfo = false
  private var failure: (any Error)?

  /// Parses a file.
  ///
  /// - Parameters:
  ///   - model: the model of the objects; without one they are passed over.
  ///   - ignoresUnknown: true when properties that the model does not have are passed over.
  /// - Throws: an error that names the file and the line of the first fault.
  init(_ data: Data, file: URL, model: NSManagedObjectModel?, ignoresUnknown: Bool = false) throws {
    self.file = file
    self.ignoresUnknown = ignoresUnknown
    names = try model.map { try XMLStoreNames($0) }
    super.init()
    // In one piece, texts of more than ten million bytes would be refused.
    let parser = XMLParser(stream: InputStream(data: data))
    parser.shouldResolveExternalEntities = false
    parser.delegate = self
    let isWellFormed = parser.parse()
    if let failure { throw failure }
    guard isWellFormed else {
      let problem = "the XML is broken" + (path.last.map { " in <\($0)>" } ?? "")
      throw AtomicFailure.brokenXML(problem, line: max(parser.lineNumber, 1), file: file)
    }
    guard hasInfo else { throw AtomicFailure.otherFormat("store in XML", file: file) }
  }

  private func fail(_ parser: XMLParser, problem: String) {
    fail(parser, error: AtomicFailure.brokenXML(problem, line: parser.lineNumber, file: file))
  }

  private func fail(_ parser: XMLParser, error: any Error) {
    failure = failure ?? error
    parser.abortParsing()
  }

  // MARK: - Elements

  func parser(
    _ parser: XMLParser,
    didStartElement element: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    guard failure == nil else { return }
    path.append(element)
    content = ""
    switch (path.count, element) {
    case (1, "database"): break
    case (1, _): fail(parser, error: AtomicFailure.otherFormat("store in XML", file: file))
    case (2, "databaseInfo") where !hasInfo && objects.isEmpty: hasInfo = true
    case (2, "object") where hasInfo: beginObject(parser, attributes: attributes)
    case (3, "attribute") where path[1] == "object": beginAttribute(parser, attributes: attributes)
    case (3, "relationship") where path[1] == "object": addRelationship(parser, attributes: attributes)
    case (3..., _) where path[1] == "databaseInfo": break
    default: fail(parser, problem: "<\(element)> has no place here")
    }
  }

  func parser(_: XMLParser, foundCharacters string: String) { content += string }

  func parser(_ parser: XMLParser, foundCDATA data: Data) { content += String(decoding: data, as: UTF8.self) }

  func parser(
    _ parser: XMLParser,
    didEndElement element: String,
    namespaceURI: String?,
    qualifiedName: String?
  ) {
    guard failure == nil, !path.isEmpty else { return }
    switch (path.count, element) {
    case (3, "UUID") where path[1] == "databaseInfo": identifier = content
    case (3, "nextObjectID") where path[1] == "databaseInfo": readLastKey(parser)
    case (3, "attribute"): endAttribute(parser)
    default: break
    }
    path.removeLast()
    content = ""
  }

  private func readLastKey(_ parser: XMLParser) {
    let text = content.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let key = Int64(text), (0...AtomicDocument.largestKey).contains(key) else {
      return fail(parser, problem: "nextObjectID is \"\(text.prefix(30))\", which is not a number of objects")
    }
    lastKey = key
  }

  // MARK: - Objects

  private func beginObject(_ parser: XMLParser, attributes: [String: String]) {
    guard let names else { return }
    id = attributes["id"] ?? ""
    let type = attributes["type"] ?? ""
    guard let found = names.entities[type] else {
      return fail(
        parser,
        error: AtomicFailure.unknownEntity(type, object: "\(id) in line \(parser.lineNumber)", file: file)
      )
    }
    guard let key = Self.key(id) else {
      return fail(parser, problem: "objects have IDs such as z102, and \"\(id.prefix(30))\" is none")
    }
    entity = found
    objects.append(AtomicDocument.Object(key: key, entity: found.description))
    lines.append(parser.lineNumber)
  }

  private func beginAttribute(_ parser: XMLParser, attributes: [String: String]) {
    guard let entity else { return }
    let name = attributes["name"] ?? ""
    guard let found = entity.attributes[name], !found.isTransient else {
      if ignoresUnknown { return }
      return fail(parser, problem: "\(Self.name(entity)) has no attribute \"\(name.prefix(60))\" that a store keeps")
    }
    if objects[objects.count - 1].values[found.name] != nil {
      return fail(parser, problem: "the object \(id) has \(found.modelPath) twice")
    }
    attribute = found
  }

  private func endAttribute(_ parser: XMLParser) {
    guard let attribute else { return }
    self.attribute = nil
    let text = Self.unescaped(content)
    guard let value = AtomicValue(attribute: attribute).value(text) else {
      let object = "\(id) in line \(parser.lineNumber)"
      return fail(parser, error: AtomicFailure.wrongValue(text, attribute: attribute, object: object, file: file))
    }
    objects[objects.count - 1].values[attribute.name] = value
  }

  private func addRelationship(_ parser: XMLParser, attributes: [String: String]) {
    guard let entity else { return }
    let name = attributes["name"] ?? ""
    guard let found = entity.relationships[name], !found.isTransient else {
      if ignoresUnknown { return }
      return fail(parser, problem: "\(Self.name(entity)) has no relationship \"\(name.prefix(60))\" that a store keeps")
    }
    var keys: [Int64] = []
    for id in (attributes["idrefs"] ?? "").split(separator: " ") {
      guard let key = Self.key(id) else { return fail(parser, problem: "\"\(id.prefix(30))\" names no object") }
      keys.append(key)
    }
    let last = objects.count - 1
    guard objects[last].destinations.updateValue(keys, forKey: found.name) == nil else {
      return fail(parser, problem: "the object \(id) has \(found.modelPath) twice")
    }
  }

  private static func name(_ entity: XMLStoreNames.Entity) -> String { entity.description.name ?? "" }

  private static func key(_ id: some StringProtocol) -> Int64? {
    guard id.first == "z", id.dropFirst().first?.isNumber == true else { return nil }
    return Int64(id.dropFirst()).flatMap { (1...AtomicDocument.largestKey).contains($0) ? $0 : nil }
  }

  /// The text whose control characters were written as `\u` and four digits. Scalars are looked at, since a backslash and
  /// an accent after it are one character.
  private static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      let digits = rest.dropFirst().prefix(4)
      if scalar == "\\", rest.first == "\\" {
        result.append(scalar)
        rest = rest.dropFirst()
      } else if scalar == "\\", rest.first == "u", digits.count == 4, let control = self.scalar(digits) {
        result.append(control)
        rest = rest.dropFirst(5)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func scalar(_ digits: Substring.UnicodeScalarView) -> Unicode.Scalar? {
    UInt32(String(Substring(digits)), radix: 16).flatMap { Unicode.Scalar($0) }
  }
}
