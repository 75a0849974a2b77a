import SwiftSyntax

/// A member that is moved from an extension into the class.
struct MemberMove: Hashable {
  /// The range of the member with the comments before it, in bytes of UTF-8.
  var member: Range<Int>
  /// The offset to which it is moved, in bytes of UTF-8.
  var destination: Int
  /// The texts that are inserted before and after it there.
  var opening: String
  var closing: String

  /// - Parameters:
  ///   - item: a member of an extension.
  ///   - declaration: the class, in which it becomes the last member.
  init(_ item: MemberBlockItemSyntax, into declaration: ClassDeclSyntax, of file: SwiftFile) {
    // If the member shares its line, edits of other rules before it begin at the white space.
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
  /// The number of line breaks before anything but white space.
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
