import Dispatch
import Foundation
import SwiftParser
import SwiftSyntax
import Synchronization

/// Parses Swift with a limit on time and nesting.
///
/// The parser's time grows with the square of the length of some broken texts, such as thousands of
/// `<a>` among the members of a type, and the parser cannot be stopped. It therefore runs on a thread
/// of its own, which is abandoned when the time is over: the program that ports sources ends soon after.
/// The parser's own nesting limit does not count all brackets: those in attributes overflow the stack.
package enum BoundedParse {
  /// The longest time for parsing a file. The largest sources that people write take a second.
  package static let longestTime = Duration.seconds(5)

  private static let abandoned = Mutex(0)

  /// The number of abandoned threads, which may still be parsing.
  package static var abandonedCount: Int { abandoned.withLock { $0 } }

  /// The reason that a text was not parsed.
  struct Failure: Error {
    let reason: String
  }

  /// The deepest nesting of brackets. It exceeds that of real sources, and equals the parser's own limit.
  private static let deepest = 256

  /// The syntax tree of a text.
  static func tree(of bytes: [UInt8], within limit: Duration) -> Result<SourceFileSyntax, Failure> {
    if nesting(of: bytes) > deepest {
      return .failure(Failure(reason: "its brackets are nested more than \(deepest) deep"))
    }
    let parsed = Parsed()
    let thread = Thread {
      let tree = bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
      parsed.tree.withLock { $0 = tree }
      parsed.isDone.signal()
    }
    // The size of the main thread's stack, because the parser is recursive.
    thread.stackSize = 8 << 20
    thread.start()
    if parsed.isDone.wait(timeout: .now() + limit / .seconds(1)) == .success {
      if let tree = parsed.tree.withLock({ $0 }) { return .success(tree) }
    }
    abandoned.withLock { $0 += 1 }
    return .failure(Failure(reason: "it does not parse within \(limit)"))
  }

  /// The deepest nesting of brackets, including those in strings and comments.
  private static func nesting(of bytes: [UInt8]) -> Int {
    var (depth, deepest) = (0, 0)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      default: break
      }
    }
    return deepest
  }

  private final class Parsed: Sendable {
    let tree = Mutex<SourceFileSyntax?>(nil)
    let isDone = DispatchSemaphore(value: 0)
  }
}
