import SwiftParser
import SwiftSyntax

/// A Swift file, parsed.
struct SwiftFile {
  let path: String
  let text: String
  let bytes: [UInt8]
  /// Empty when the file was not parsed.
  let tree: SourceFileSyntax
  /// The reason for which the file was not parsed; `nil` when it was.
  let refusal: String?
  /// The end of a line as the file has it.
  let newline: String

  init(path: String, text: String, longestParse: Duration) {
    self.path = path
    self.text = text
    bytes = Array(text.utf8)
    switch BoundedParse.tree(of: bytes, within: longestParse) {
    case .success(let tree): (self.tree, refusal) = (tree, nil)
    case .failure(let failure): (tree, refusal) = (Parser.parse(source: ""), failure.reason)
    }
    newline = text.utf8.firstRange(of: "\r\n".utf8) == nil ? "\n" : "\r\n"
  }

  /// The folder that the file is in.
  var folder: String { Self.folder(of: path) }

  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  /// The place where the parser first met something that it did not expect, or missed something;
  /// `nil` when it did not.
  var firstSyntaxError: Int? {
    guard tree.hasError else { return nil }
    let finder = SyntaxErrorFinder(viewMode: .all)
    finder.walk(tree)
    return finder.offset ?? 0
  }

  // MARK: - Lines

  /// The beginning of the line that a byte is in.
  func lineStart(_ offset: Int) -> Int {
    var start = offset
    while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    return start
  }

  /// The end of the line that a byte is in, in front of what ends it.
  func lineEnd(_ offset: Int) -> Int {
    var end = offset
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n"), bytes[end] != UInt8(ascii: "\r") { end += 1 }
    return end
  }

  /// The white space at the beginning of the line that a byte is in.
  func indentation(_ offset: Int) -> String {
    let start = lineStart(offset)
    return String(decoding: bytes[start..<endOfSpaces(from: start)], as: UTF8.self)
  }

  /// The beginning of the white space in front of a byte, on its line.
  func startOfSpaces(before offset: Int) -> Int {
    var start = offset
    while start > 0, Self.isSpace(bytes[start - 1]) { start -= 1 }
    return start
  }

  /// The end of the white space behind a byte, on its line.
  func endOfSpaces(from offset: Int) -> Int {
    var end = offset
    while end < bytes.count, Self.isSpace(bytes[end]) { end += 1 }
    return end
  }

  /// Returns true when only white space is in front of a byte on its line.
  func beginsLine(_ offset: Int) -> Bool { startOfSpaces(before: offset) == lineStart(offset) }

  /// Returns true when only white space, or a comment that takes the rest of the line, is behind a
  /// byte on its line.
  func endsLine(_ offset: Int) -> Bool {
    let next = endOfSpaces(from: offset)
    return next == lineEnd(offset) || bytes[next...].starts(with: "//".utf8)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}

private final class SyntaxErrorFinder: SyntaxVisitor {
  private(set) var offset: Int?

  override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
    if token.presence == .missing { record(Syntax(token)) }
    return .skipChildren
  }

  override func visit(_ node: UnexpectedNodesSyntax) -> SyntaxVisitorContinueKind {
    record(Syntax(node))
    return .skipChildren
  }

  private func record(_ node: Syntax) {
    if offset == nil { offset = node.positionAfterSkippingLeadingTrivia.utf8Offset }
  }
}
