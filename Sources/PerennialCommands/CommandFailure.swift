import Foundation
import Seeding
import Texts

/// A failure that ends a command with status 1 and one line on standard error.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String

  init(_ message: String) {
    // Of a very long message, most is somebody's data.
    description = VisibleText(line: message, atMost: 2000).description
  }

  /// Makes a failure of a problem and the file it is about.
  init(_ file: String, _ problem: String, remedy: String? = nil) {
    self.init("\(file): \(problem)" + (remedy.map { "; \($0)" } ?? ""))
  }

  /// Runs a command's work; an error that it throws becomes a failure of one line.
  ///
  /// - Parameter log: the options for what is shown of stores meanwhile, where the command opens
  ///   any.
  static func reporting(_ log: LogOptions? = nil, _ work: () throws -> Void) throws {
    do {
      guard let log else { return try work() }
      try log.during(work)
    } catch let failure as CommandFailure {
      throw failure
    } catch let error as SeedError {
      throw CommandFailure(error.description)
    } catch {
      throw CommandFailure(ErrorWords.describe(error))
    }
  }
}
