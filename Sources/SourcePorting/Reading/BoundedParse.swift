import Dispatch
import Foundation
import SwiftParser
import SwiftSyntax
import Synchronization

/// Parses Swift, for a limited time.
///
/// The parser's time grows with the square of the length of some broken texts, such as thousands of `<a>` among the members
/// of a type, and it cannot be stopped. So it works on a thread of its own, which is left to itself when the time is over: the
/// program that ports sources ends soon after.
package enum BoundedParse {
  /// How long a file may take. The largest sources that people write take a second.
  package static let longestTime = Duration.seconds(5)

  private static let abandoned = Mutex(0)

  /// How many threads are left that parse what nobody waits for.
  package static var abandonedCount: Int { abandoned.withLock { $0 } }

  /// The tree of a text; `nil` when it takes longer than allowed.
  static func tree(of bytes: [UInt8], within limit: Duration) -> SourceFileSyntax? {
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
      return parsed.tree.withLock { $0 }
    }
    abandoned.withLock { $0 += 1 }
    return nil
  }

  private final class Parsed: Sendable {
    let tree = Mutex<SourceFileSyntax?>(nil)
    let isDone = DispatchSemaphore(value: 0)
  }
}
