import SwiftParser
import SwiftSyntax

/// A parsed Swift file.
struct SwiftFile {
  let path: String
  let text: String
  let bytes: [UInt8]
  /// The syntax tree; empty when the file was not parsed.
  let tree: SourceFileSyntax
  /// The reason that the file was not parsed; `nil` when it was.
  let refusal: String?
  /// The line break that the file uses.
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

  /// The folder that contains the file.
  var folder: String { Self.folder(of: path) }

  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  /// The offset of the first unexpected or missing token; `nil` when the file has no syntax error.
  var firstSyntaxError: Int? {
    guard tree.hasError else { return nil }
    let finder = SyntaxErrorFinder(viewMode: .all)
    finder.walk(tree)
    return finder.offset ?? 0
  }

  // MARK: - Lines

  /// The offset of the beginning of a byte's line.
  func lineStart(_ offset: Int) -> Int {
    var start = offset
    while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    return start
  }

  /// The offset of the end of a byte's line, before the line break.
  func lineEnd(_ offset: Int) -> Int {
    var end = offset
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n"), bytes[end] != UInt8(ascii: "\r") { end += 1 }
    return end
  }

  /// The white space at the beginning of a byte's line.
  func indentation(_ offset: Int) -> String {
    let start = lineStart(offset)
    return String(decoding: bytes[start..<endOfSpaces(from: start)], as: UTF8.self)
  }

  /// The beginning of the white space before a byte, on its line.
  func startOfSpaces(before offset: Int) -> Int {
    var start = offset
    while start > 0, Self.isSpace(bytes[start - 1]) { start -= 1 }
    return start
  }

  /// The end of the white space from a byte on, on its line.
  func endOfSpaces(from offset: Int) -> Int {
    var end = offset
    while end < bytes.count, Self.isSpace(bytes[end]) { end += 1 }
    return end
  }

  /// Returns true when there is only white space before a byte on its line.
  func beginsLine(_ offset: Int) -> Bool { startOfSpaces(before: offset) == lineStart(offset) }

  /// Returns true when there is only white space after an offset on its line, or a comment that extends to the
  /// end of the line.
  func endsLine(_ offset: Int) -> Bool {
    let next = endOfSpaces(from: offset)
    return next == lineEnd(offset) || bytes[next...].starts(with: "//".utf8)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
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
