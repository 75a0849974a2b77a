import Foundation
import ModelFormats

/// Reading model files for commands that look at the file itself, not at objects.
enum SoundDocument {
  /// Reads a model, of a package the current version, and checks it.
  ///
  /// - Throws: a failure that names the file.
  static func read(_ path: String) throws -> ModelDocument {
    let url = URL(fileURLWithPath: path)
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandFailure(file: path, problem: "there is no such model", remedy: "check the path")
    }
    try ModelFile.checkKind(path)
    do {
      let document = try ModelDocument(contentsOf: url)
      try document.check(file: path)
      return document
    } catch {
      throw CommandFailure(error.description)
    }
  }
}
