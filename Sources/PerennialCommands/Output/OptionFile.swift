import Files
import Foundation

/// A file that an option names as the target of a command's output.
struct OptionFile {
  let path: String
  /// The option: `--output`.
  let option: String
  /// The content in a word for the error: `schema`.
  let content: String

  /// Writes the file, completely or not at all.
  ///
  /// - Throws: a `CommandFailure` that names the file and the option.
  func write(_ text: String) throws {
    do {
      try FileOutput.write(Data(text.utf8), to: URL(fileURLWithPath: path))
    } catch {
      throw CommandFailure(
        file: path,
        problem: "the \(content) cannot be written here: \(error.localizedDescription)",
        remedy: "give another file with \(option)"
      )
    }
  }
}
