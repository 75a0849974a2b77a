import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An SVG picture, parsed as XML: its elements in document order.
final class Picture: NSObject, XMLParserDelegate {
  struct Element {
    let name: String
    let attributes: [String: String]
    var text = ""

    /// The number in an attribute; not a number if the element does not have the attribute.
    func number(_ name: String) -> Double { Double(attributes[name] ?? "") ?? .nan }
  }

  private(set) var elements: [Element] = []
  private var open: [Int] = []

  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    let isWellFormed = parser.parse()
    try #require(isWellFormed, "\(parser.parserError as (any Error)?)")
  }

  /// The elements with a name, and of a class if one is given.
  func all(_ name: String, ofClass kind: String? = nil) -> [Element] {
    elements.filter { $0.name == name && (kind == nil || $0.attributes["class"] == kind) }
  }

  func parser(
    _ parser: XMLParser,
    didStartElement name: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let last = open.last { elements[last].text += text }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    open.removeLast()
  }
}
