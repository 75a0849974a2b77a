import Foundation

/// The reason that a model could not be judged. The command ends with status 2.
struct GuardDoubt: Error, CustomStringConvertible, LocalizedError {
  let problem: String
  let remedy: String

  var description: String { "\(problem); \(remedy)" }
  var errorDescription: String? { description }
}
