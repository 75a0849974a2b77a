import Dispatch
import Foundation
import SwiftParser
import SwiftSyntax
import Synchronization

/// Parses Swift, for a limited time and to a limited depth.
///
/// The parser's time grows with the square of the length of some broken texts, such as thousands of
/// `<a>` among the members of a type, and it cannot be stopped. So it works on a thread of its own,
/// which is left to itself when the time is over: the program that ports sources ends soon after.
/// Its own limit of depth does not count all brackets: those in attributes exhaust the stack.
package enum BoundedParse {
  /// The longest time that the parsing of a file may take. The largest sources that people write
  /// take a second.
  package static let longestTime = Duration.seconds(5)

  private static let abandoned = Mutex(0)

  /// The number of threads that are left parsing what nobody waits for.
  package static var abandonedCount: Int { abandoned.withLock { $0 } }

  /// The reason for which a text was not parsed.
  struct Failure: Error {
    let reason: String
  }

  /// More than anybody nests brackets, and what the parser allows itself elsewhere.
  private static let deepest = 256

  /// The tree of a text.
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
    // As much as the main thread has: the parser recurses.
    thread.stackSize = 8 << 20
    thread.start()
    if parsed.isDone.wait(timeout: .now() + limit / .seconds(1)) == .success {
      if let tree = parsed.tree.withLock({ $0 }) { return .success(tree) }
    }
    abandoned.withLock { $0 += 1 }
    return .failure(Failure(reason: "it does not parse within \(limit)"))
  }

  /// The deepest nesting of brackets, those in texts and comments included.
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
