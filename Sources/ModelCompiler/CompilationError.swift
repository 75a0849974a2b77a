import ModelFormats

/// A problem of a source or a model with its place, printed as compilers print it.
package struct CompilationError: Error, Hashable, Sendable, CustomStringConvertible {
  package var file: String
  package var line: Int?
  package var column: Int?
  /// The problem, and the text to write instead.
  package var message: String
  /// True when the target is built all the same.
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

  /// `file:line:column: error: message`, or `warning` in place of `error`.
  package var description: String {
    let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(file)\(place): \(isWarning ? "warning" : "error"): \(message)"
  }
}
