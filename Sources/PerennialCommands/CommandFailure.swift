import Foundation
import Seeding
import Texts

/// A failure that ends a command with status 1 and one line on standard error.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String
  /// The Core Data error that the failure reports, if there is one.
  let cause: (any Error)?

  init(_ message: String, cause: (any Error)? = nil) {
    self.cause = cause
    // Most of a very long message is data of the store or of its user.
    description = VisibleText(line: HiddenPasswords.hide(in: message), atMost: 2000).description
  }

  /// Makes a failure of a problem and the file it is about.
  init(file: String, problem: String, remedy: String? = nil, cause: (any Error)? = nil) {
    self.init("\(file): \(problem)" + (remedy.map { "; \($0)" } ?? ""), cause: cause)
  }

  /// Runs a command's work, and turns an error that it throws into a failure of one line.
  ///
  /// - Parameters:
  ///   - log: the options for the log of the stores, where the command opens any.
  ///   - wait: the waits for other programs that write the store, where the command writes one.
  static func reporting(_ log: LogOptions? = nil, wait: StoreWait? = nil, _ work: () throws -> Void) throws {
    do {
      func waiting() throws { if let wait { try wait.during(work) } else { try work() } }
      if let log { try log.during(waiting) } else { try waiting() }
    } catch let failure as CommandFailure {
      throw failure
    } catch let error as SeedError {
      throw CommandFailure(error.description)
    } catch {
      throw CommandFailure(ErrorWords.describe(error))
    }
  }
}
