import Foundation
import PropertyLists
import StoreExploration
import Texts

/// The kind of some bytes, recognized from their content, which decides how a page shows them.
enum DataContents {
  /// A picture that browsers show.
  case image(type: String)
  /// A text, a JSON document, or a property list as a text.
  case text(String, kind: String)
  case bytes

  /// The greatest number of bytes that are parsed as a property list, as JSON or as a text.
  private static let longest = 1_000_000
  /// The greatest number of a text's characters on a page.
  static let longestText = 100_000

  init(_ data: Data) {
    if let type = Self.imageType(of: data) {
      self = .image(type: type)
    } else if data.count <= Self.longest, let text = Self.propertyList(data) {
      self = .text(text, kind: "property list")
    } else if data.count <= Self.longest, let text = JSONLayout(data)?.text {
      self = .text(text, kind: "JSON")
    } else if data.count <= Self.longest, !data.isEmpty, !data.contains(0),
      let text = String(data: data, encoding: .utf8)
    {
      self = .text(text, kind: "text")
    } else {
      self = .bytes
    }
  }

  /// Returns the MIME type of a picture by its first bytes; `nil` for anything else. An SVG picture is not
  /// recognized, because it is markup.
  static func imageType(of data: Data) -> String? {
    func begins(_ bytes: [UInt8], at offset: Int = 0) -> Bool { data.dropFirst(offset).starts(with: bytes) }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if begins([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) { return "image/gif" }
    if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) { return "image/webp" }
    return nil
  }

  private static func propertyList(_ data: Data) -> String? {
    let isBinary = data.starts(with: Array("bplist".utf8))
    guard isBinary, let value = try? CheckedPropertyList.read(data) else { return nil }
    var lines: [String] = []
    write(value, name: "", depth: 0, to: &lines)
    return lines.joined(separator: "\n")
  }

  private static let mostLines = 5_000
  /// The greatest number of bytes to show of data in a property list.
  private static let mostNestedBytes = 256

  private static func write(_ value: Any, name: String, depth: Int, to lines: inout [String]) {
    if lines.count > mostLines { return }
    let start = String(repeating: "  ", count: depth) + (name.isEmpty ? "" : "\(name): ")
    switch value {
    case let fields as [String: Any]:
      lines.append(start + "{\(fields.count)}")
      for key in fields.keys.sorted() { write(fields[key] ?? "", name: key, depth: depth + 1, to: &lines) }
    case let list as [Any]:
      lines.append(start + "[\(list.count)]")
      for (index, element) in list.enumerated() { write(element, name: "\(index)", depth: depth + 1, to: &lines) }
    case let data as Data:
      lines.append(start + "\(data.count) bytes")
      let shown = dump(data, atMost: mostNestedBytes).split(separator: "\n")
      let indent = String(repeating: "  ", count: depth + 1)
      lines += shown.map { indent + $0 }
      if data.count > mostNestedBytes { lines.append(indent + "\(data.count - mostNestedBytes) more bytes") }
    case let date as Date: lines.append(start + ShownDate.text(date))
    case let text as String: lines.append(start + VisibleText(spelling: text, atMost: 2_000).description)
    default: lines.append(start + "\(value)".cut(to: 2_000))
    }
  }

  /// Returns a hex dump: lines with an offset, hexadecimal digits and letters.
  static func dump(_ data: Data, atMost most: Int) -> String {
    let bytes = Array(data.prefix(most))
    return stride(from: 0, to: bytes.count, by: 16).map { start in
      let line = bytes[start..<min(start + 16, bytes.count)]
      let digits = line.map { HexadecimalDigits.of([$0]) }.joined(separator: " ")
      let letters = line.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "·" }.joined()
      let offset = HexadecimalDigits.of(UInt64(start), count: 6)
      return "\(offset)  \(digits.padding(toLength: 47, withPad: " ", startingAt: 0))  \(letters)"
    }
    .joined(separator: "\n")
  }
}
