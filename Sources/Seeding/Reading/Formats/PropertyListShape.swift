import Foundation

/// The shape of a property list, which is determined before Foundation reads the list: its depth, and the number of its
/// values if an object is counted each time it is referred to. Foundation follows both without a limit. If a dictionary
/// has a key twice, Foundation keeps one of the values.
struct PropertyListShape {
  struct Failure: Error {
    var code = SeedError.Code.brokenText
    let problem: String
    var remedy = "correct the file"
    var line: Int?
  }

  /// Deeper nesting is refused, because values are read by recursion.
  static let deepest = 200

  /// Checks the kind, the depth and the size of a property list.
  ///
  /// - Throws: A `Failure` for data that is neither an XML nor a binary property list, that is too
  ///   deep or too large in one of these ways, or that has a key twice.
  static func check(_ data: Data, mostValues: Int) throws(Failure) {
    if data.starts(with: Array("bplist".utf8)) {
      var shape = try BinaryPropertyListShape(data, mostValues: mostValues)
      return try shape.check()
    }
    let bytes = [UInt8](data)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
    guard text.first(where: { !$0.isBlank }) == UInt8(ascii: "<") else {
      throw Failure(
        problem: "this is neither an XML nor a binary property list",
        remedy: "convert it, for example by plutil -convert xml1"
      )
    }
    try checkXML(text, mostValues: mostValues)
  }

  static var tooDeep: Failure { Failure(problem: "values are nested more than \(deepest) deep, or within themselves") }

  static func tooMany(_ most: Int) -> Failure {
    Failure(
      code: .tooLarge,
      problem: "the property list has more than the \(most) values that are allowed",
      remedy: "split it, write it as JSON, which is read record by record, or allow more"
    )
  }

  private static func checkXML(_ text: ArraySlice<UInt8>, mostValues: Int) throws(Failure) {
    var (depth, values) = (0, 0)
    var keys = XMLPropertyListKeys(text)
    var rest = text
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if rest.starts(with: Array("<!--".utf8)) {
        rest = skipped(rest, to: Array("-->".utf8))
      } else if rest.starts(with: Array("<![CDATA[".utf8)) {
        rest = skipped(rest, to: Array("]]>".utf8))
      } else {
        let tag = rest.prefix { $0 != UInt8(ascii: ">") }
        let isClosing = tag.dropFirst().first == UInt8(ascii: "/")
        let isContainer = ["array", "dict"].contains { name in
          tag.dropFirst(isClosing ? 2 : 1).starts(with: Array(name.utf8))
        }
        if isContainer, tag.last != UInt8(ascii: "/") {
          depth += isClosing ? -1 : 1
          if isClosing { keys.close() } else { keys.open() }
        }
        let isKey = tag.starts(with: Array("<key".utf8))
        if isKey, tag.last != UInt8(ascii: "/") { try keys.add(rest[tag.endIndex...].dropFirst(), at: tag.startIndex) }
        if !isClosing, !isKey { values += 1 }
        guard depth <= deepest else { throw tooDeep }
        guard values <= mostValues else { throw tooMany(mostValues) }
        rest = rest[tag.endIndex...]
      }
    }
  }

  /// The text after an end mark; empty if the mark does not occur.
  static func skipped(_ text: ArraySlice<UInt8>, to end: [UInt8]) -> ArraySlice<UInt8> {
    var rest = text.dropFirst(end.count)
    while let index = rest.firstIndex(of: end[0]) {
      rest = rest[index...]
      if rest.starts(with: end) { return rest.dropFirst(end.count) }
      rest = rest.dropFirst()
    }
    return []
  }
}
