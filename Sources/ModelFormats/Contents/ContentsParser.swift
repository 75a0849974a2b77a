import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads XML into elements.
final class ContentsParser: NSObject, XMLParserDelegate {
  private let file: String?
  private var open: [ContentsElement] = []
  private var root: ContentsElement?
  /// The line of the first element that is nested deeper than in any model.
  private var lineOfDeepest: Int?

  /// The elements of a model are six deep. Whatever reads elements goes as deep into the stack.
  private static let largestDepth = 100

  /// Foundation's parser stops the program at 2 GB.
  private static let largestCount = 1 << 30

  private init(file: String?) { self.file = file }

  /// Reads the text of an XML file.
  ///
  /// - Throws: `ModelFileError`, with the line if the text is not XML in UTF-8, or for a file that is too large.
  static func parse(_ data: Data, file: String?) throws(ModelFileError) -> ContentsElement {
    if let line = UTF8Text.firstBadLine(of: data) {
      throw ModelFileError(
        .corrupt,
        file: file,
        line: line,
        problem:
          "this is not UTF-8, which Xcode writes models in; restore the file, or save the model again in Xcode"
      )
    }
    guard data.count <= largestCount else {
      throw ModelFileError(
        .corrupt,
        file: file,
        problem:
          "the file has \(data.count >> 20) MB, and no model has more than \(largestCount >> 20); restore the file"
      )
    }
    let reader = ContentsParser(file: file)
    let parser = XMLParser(data: data)
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    let isWellFormed = parser.parse()
    if let line = reader.lineOfDeepest {
      throw ModelFileError(
        .corrupt,
        file: file,
        line: line,
        element: reader.open.last?.name,
        problem: """
          an element is inside of \(largestDepth) others, and those of a model are six deep at most; restore the file, \
          or save the model again in Xcode
          """
      )
    }
    if let root = reader.root, isWellFormed { return root }
    throw ModelFileError(
      .corrupt,
      file: file,
      line: max(parser.lineNumber, 1),
      element: reader.open.last?.name,
      problem: data.isEmpty
        ? "the file is empty; it should be the XML that Xcode writes into a .xcdatamodel"
        : "this is not well-formed XML; restore the file, or save the model again in Xcode"
    )
  }

  func parser(
    _ parser: XMLParser,
    didStartElement elementName: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    if lineOfDeepest != nil { return }
    guard open.count < Self.largestDepth else {
      lineOfDeepest = max(parser.lineNumber, 1)
      return parser.abortParsing()
    }
    open.append(
      ContentsElement(
        name: elementName,
        attributes: attributes.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) },
        line: SourceLine(parser.lineNumber)
      )
    )
  }

  func parser(_: XMLParser, foundCharacters string: String) {
    guard lineOfDeepest == nil, let text = open.last?.text else { return }
    // Most of the text is the indentation of elements, which is before each element's own text, or alone.
    if text.isEmpty, Self.isBlank(string) { return }
    open[open.count - 1].text += string
  }

  private static func isBlank(_ text: String) -> Bool {
    for byte in text.utf8 where byte != UInt8(ascii: " ") && !(byte >= 0x09 && byte <= 0x0D) { return false }
    return true
  }

  func parser(_: XMLParser, didEndElement _: String, namespaceURI _: String?, qualifiedName _: String?) {
    guard lineOfDeepest == nil, var element = open.popLast() else { return }
    if !element.text.isEmpty { element.text = element.text.trimmingCharacters(in: .whitespacesAndNewlines) }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }
}
