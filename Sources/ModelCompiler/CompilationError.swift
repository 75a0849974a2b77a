import ModelFormats

/// What is wrong with a source or a model, and where; printed as compilers print it.
package struct CompilationError: Error, Hashable, Sendable, CustomStringConvertible {
  package var file: String
  package var line: Int?
  package var column: Int?
  /// What is wrong and what to write instead.
  package var message: String

  package init(file: String, line: Int? = nil, column: Int? = nil, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  init(file: String, at position: SourcePosition, message: String) {
    self.init(file: file, line: position.line, column: position.column, message: message)
  }

  init(_ error: ModelFileError) {
    let place = [error.element, error.attribute].compactMap { $0 }.joined(separator: ", ")
    self.init(
      file: error.file ?? "",
      line: error.line,
      message: place.isEmpty ? error.problem : "\(place): \(error.problem)"
    )
  }

  /// `file:line:column: error: message`
  package var description: String {
    let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(file)\(place): error: \(message)"
  }
}
