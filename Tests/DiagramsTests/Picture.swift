import Foundation
import Testing

@testable import Diagrams

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An SVG picture, parsed as XML: its elements in document order.
final class Picture: NSObject, XMLParserDelegate {
  struct Element {
    let name: String
    let attributes: [String: String]
    let index: Int
    /// The number of the first element after this element's end.
    var end = 0
    var text = ""

    func number(_ name: String) -> Double { Double(attributes[name] ?? "") ?? .nan }

    /// The width that the layout calculates for the text.
    var width: Double {
      let classes = Set((attributes["class"] ?? "").split(separator: " "))
      if classes.contains("dg-name") { return TextWidth(fontSize: 14, isBold: true).of(text) }
      if classes.contains("dg-heading") { return TextWidth(fontSize: 16, isBold: true).of(text) }
      return TextWidth(fontSize: classes.contains("dg-row") ? 12 : 11).of(text)
    }
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

  func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  func elements(_ name: String, _ kind: String) -> [Element] {
    all(name).filter { ($0.attributes["class"] ?? "").split(separator: " ").contains(Substring(kind)) }
  }

  func parser(
    _ parser: XMLParser,
    didStartElement name: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes, index: elements.count))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let last = open.last { elements[last].text += text }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    if let last = open.popLast() { elements[last].end = elements.count }
  }
}
