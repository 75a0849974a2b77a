import ModelFormats

/// A problem in a source or a model with its location, printed in the format of compilers.
package struct CompilationError: Error, Hashable, Sendable, CustomStringConvertible {
  package var file: String
  package var line: Int?
  package var column: Int?
  /// The problem, with the correction.
  package var message: String
  /// True when the target is built despite the problem.
  package var isWarning = false

  package init(file: String, line: Int? = nil, column: Int? = nil, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  init(file: String, at position: SourcePosition, message: String) {
    self.init(file: file, line: position.line, column: position.column, message: message)
  }

  init(_ error: ModelFileError, isWarning: Bool = false) {
    let place = [error.element, error.attribute].compactMap { $0 }.joined(separator: ", ")
    self.init(
      file: error.file ?? "",
      line: error.line,
      message: place.isEmpty ? error.problem : "\(place): \(error.problem)"
    )
    self.isWarning = isWarning
  }

  /// The line for a build log: `file:line:column: error: message`, or `warning` instead of `error`.
  package var description: String {
    let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(file)\(place): \(isWarning ? "warning" : "error"): \(message)"
  }
}
