import CoreData
import Predicates

/// The text in front of a cursor, and the word at the cursor.
struct PredicateCursor {
  /// The text up to the word.
  private(set) var scanner: PredicateScanner
  /// The word or literal that a completion replaces, in bytes of UTF-8; empty between words.
  private(set) var word: Range<Int>
  /// The part of the word in front of the cursor.
  private(set) var typed: String
  /// True inside of a quoted text, or directly after its opening quote.
  private(set) var isInText = false
  /// True if nothing can be completed: in a number, or after characters that are not a token.
  private(set) var isNowhere = false

  init(_ text: String, at cursor: Int, entity: NSEntityDescription) {
    scanner = PredicateScanner(entity: entity)
    word = cursor..<cursor
    typed = ""
    var lexer = FormatLexer(text)
    while true {
      let token: FormatToken
      let before = lexer.position
      do {
        token = try lexer.next()
      } catch {
        adopt(brokenTokenAfter: before, in: lexer, cursor: cursor)
        return
      }
      if token.kind == .end || token.start >= cursor { return }
      if token.end >= cursor, adopt(token, in: lexer, cursor: cursor) { return }
      scanner.read(token)
    }
  }

  /// - Returns: true if the cursor is inside of the token, or at the end of a word.
  private mutating func adopt(_ token: FormatToken, in lexer: FormatLexer, cursor: Int) -> Bool {
    let isAtEnd = token.end == cursor
    switch token.kind {
    case .identifier, .keyword, .variable: word = token.start..<token.end
    case .string where !isAtEnd:
      isInText = true
      word = token.start..<token.end
    case .integer, .unsigned, .decimal, .double: isNowhere = true
    case .argument where !isAtEnd: isNowhere = true
    default: return false
    }
    typed = String(decoding: lexer.bytes[word.lowerBound..<max(word.lowerBound, cursor)], as: UTF8.self)
    if isInText { typed = String(typed.unicodeScalars.dropFirst()) }
    return true
  }

  /// The signs that begin a word.
  private static let beginnings = Array("$@#".utf8)

  /// Treats a text without a closing quote, and a sign without a name, as input that the person has not finished.
  private mutating func adopt(brokenTokenAfter end: Int, in lexer: FormatLexer, cursor: Int) {
    let bytes = lexer.bytes
    let start = bytes[end...].firstIndex { !FormatLexer.isSpace($0) } ?? bytes.count
    guard start < cursor else { return }
    switch bytes[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      isInText = true
      word = start..<bytes.count
      typed = String(decoding: bytes[(start + 1)..<cursor], as: UTF8.self)
    case let byte where cursor == start + 1 && Self.beginnings.contains(byte):
      word = start..<cursor
      typed = String(decoding: bytes[word], as: UTF8.self)
    default: isNowhere = true
    }
  }
}
