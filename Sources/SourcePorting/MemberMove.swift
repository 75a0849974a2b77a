import SwiftSyntax

/// A member that is moved from an extension into the class.
struct MemberMove: Hashable {
  /// The place of the member with the comments in front of it, in bytes of UTF-8.
  var member: Range<Int>
  /// The place that it is moved to, in bytes of UTF-8.
  var destination: Int
  /// The texts that are put in front of it and behind it there.
  var opening: String
  var closing: String

  /// - Parameters:
  ///   - item: a member of an extension.
  ///   - declaration: the class, whose last member it becomes.
  init(_ item: MemberBlockItemSyntax, into declaration: ClassDeclSyntax, of file: SwiftFile) {
    // On a line with others, what other rules put in front of the member begins at the spaces.
    let start = file.startOfSpaces(before: item.position.utf8Offset)
    member = start..<item.endPosition.utf8Offset
    let brace = declaration.memberBlock.rightBrace
    destination = brace.position.utf8Offset
    let lines = item.leadingTrivia.newlineCount
    opening = String(repeating: file.newline, count: max(0, 2 - lines))
    closing = brace.leadingTrivia.newlineCount == 0 ? file.newline : ""
  }
}

extension Trivia {
  /// The number of ends of lines that come before anything else but white space.
  fileprivate var newlineCount: Int {
    var count = 0
    for piece in self {
      switch piece {
      case .newlines(let number), .carriageReturnLineFeeds(let number): count += number
      case .spaces, .tabs: break
      default: return count
      }
    }
    return count
  }
}
