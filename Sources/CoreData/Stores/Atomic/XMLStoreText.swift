import Foundation
import ModelFormats

/// The bytes of a store in XML. They are searched for content that the parser must not see, and for
/// the positions of their parts.
///
/// It refuses files with entities of their own, which a parser would expand or fetch, files that are
/// nested too deeply, and bytes that are not valid UTF-8.
struct XMLStoreText {
  /// The place of the property list of the metadata; `nil` when there is none.
  private(set) var metadata: Range<Int>?
  /// The offset where the objects begin, after the metadata; `nil` when the text has no metadata.
  private(set) var objects: Int?

  private let file: URL
  private var path: [String] = []
  private var depth = 0
  private var start = 0

  /// Deeper than property lists in metadata are nested.
  private static let deepest = 200
  private static let encodings: Set = ["utf-8", "utf8", "us-ascii", "ascii"]

  /// - Throws: an error that names the file and the line.
  init(_ data: Data, file: URL) throws {
    self.file = file
    if let line = UTF8Text.firstBadLine(of: data) {
      throw AtomicFailure.brokenXML("a text is not UTF-8", line: line, file: file)
    }
    try data.withUnsafeBytes { try scan($0) }
  }

  private mutating func scan(_ bytes: UnsafeRawBufferPointer) throws {
    var place = 0
    while place < bytes.count {
      let (found, byte) = (place, bytes[place])
      if byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") {
        place += 1
      } else if byte == UInt8(ascii: "&") {
        place = try checkedReference(bytes, start: found)
      } else if Self.has("<!--", bytes: bytes, place: found) {
        place = try end(of: "-->", bytes: bytes, start: found + 4)
      } else if Self.has("<![CDATA[", bytes: bytes, place: found) {
        place = try end(of: "]]>", bytes: bytes, start: found)
      } else if Self.has("<?", bytes: bytes, place: found) {
        place = try end(of: "?>", bytes: bytes, start: found)
        try checkEncoding(bytes[found..<place], place: found, bytes: bytes)
      } else {
        let end = try endOfTag(bytes, start: found)
        try tag(bytes, range: found..<end)
        place = end
      }
    }
    if depth > 0 { throw broken("the file ends inside <\(path.last ?? "")>", bytes: bytes, place: bytes.count) }
  }

  private mutating func tag(_ bytes: UnsafeRawBufferPointer, range: Range<Int>) throws {
    if bytes[range.lowerBound + 1] == UInt8(ascii: "!") { return }
    if bytes[range.lowerBound + 1] == UInt8(ascii: "/") {
      guard depth > 0 else {
        throw broken("an element ends that did not begin", bytes: bytes, place: range.lowerBound)
      }
      if depth == 4, isMetadataList, metadata == nil { metadata = start..<range.upperBound }
      if depth == 2, path == ["database", "databaseInfo"], objects == nil { objects = range.upperBound }
      depth -= 1
      if path.count > depth { path.removeLast() }
      return
    }
    let isEmpty = bytes[range.upperBound - 2] == UInt8(ascii: "/")
    depth += 1
    guard depth <= Self.deepest else {
      throw broken("elements are nested more than \(Self.deepest) deep", bytes: bytes, place: range.lowerBound)
    }
    if depth <= 4 {
      path.append(Self.name(bytes, start: range.lowerBound + 1))
      if depth == 4, isMetadataList { start = range.lowerBound }
    }
    if isEmpty {
      if depth == 4, isMetadataList, metadata == nil { metadata = range }
      if depth == 2, path == ["database", "databaseInfo"], objects == nil { objects = range.upperBound }
      depth -= 1
      if path.count > depth { path.removeLast() }
    }
  }

  private var isMetadataList: Bool { path == ["database", "databaseInfo", "metadata", "plist"] }

  /// - Returns: the end of the tag; texts in quotes may hold its end.
  private func endOfTag(_ bytes: UnsafeRawBufferPointer, start: Int) throws -> Int {
    var quote: UInt8?
    var place = start + 1
    while place < bytes.count {
      let byte = bytes[place]
      if let open = quote {
        if byte == open { quote = nil }
        if byte == UInt8(ascii: "&") {
          place = try checkedReference(bytes, start: place)
          continue
        }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return place + 1
      } else if byte == UInt8(ascii: "<") {
        throw broken("a tag does not end", bytes: bytes, place: start)
      } else if byte == UInt8(ascii: "["), bytes[start + 1] == UInt8(ascii: "!") {
        throw broken(
          "the file declares entities or elements of its own, which no store does",
          bytes: bytes,
          place: start
        )
      }
      place += 1
    }
    throw broken("a tag does not end", bytes: bytes, place: start)
  }

  private func end(of mark: String, bytes: UnsafeRawBufferPointer, start: Int) throws -> Int {
    var place = start
    while place < bytes.count {
      if Self.has(mark, bytes: bytes, place: place) { return place + mark.utf8.count }
      place += 1
    }
    throw broken("the file ends before \(mark)", bytes: bytes, place: start)
  }

  private static let references: Set = ["amp", "lt", "gt", "quot", "apos"]

  private func checkedReference(_ bytes: UnsafeRawBufferPointer, start: Int) throws -> Int {
    let rest = bytes[(start + 1)..<min(start + 12, bytes.count)]
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
      throw broken("a reference to a character does not end", bytes: bytes, place: start)
    }
    let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    guard name.hasPrefix("#") || Self.references.contains(name) else {
      throw broken("there is no entity &\(name);", bytes: bytes, place: start)
    }
    return end + 1
  }

  private func checkEncoding(
    _ declaration: Slice<UnsafeRawBufferPointer>,
    place: Int,
    bytes: UnsafeRawBufferPointer
  ) throws {
    let text = String(decoding: declaration, as: UTF8.self)
    guard text.hasPrefix("<?xml"), let range = text.range(of: "encoding") else { return }
    let parts = text[range.upperBound...].split(whereSeparator: { "=\"' ".contains($0) })
    guard let name = parts.first?.lowercased(), Self.encodings.contains(name) else {
      throw broken("the encoding is not UTF-8", bytes: bytes, place: place)
    }
  }

  private static func name(_ bytes: UnsafeRawBufferPointer, start: Int) -> String {
    let name = bytes[start...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    return String(decoding: name, as: UTF8.self)
  }

  private static func has(_ mark: String, bytes: UnsafeRawBufferPointer, place: Int) -> Bool {
    bytes[place...].starts(with: mark.utf8)
  }

  private func broken(_ problem: String, bytes: UnsafeRawBufferPointer, place: Int) -> any Error {
    let line = 1 + bytes[..<min(place, bytes.count)].count { $0 == UInt8(ascii: "\n") }
    return AtomicFailure.brokenXML(problem, line: line, file: file)
  }
}
