import Foundation
import ModelFormats

/// Reads model files for commands that examine the file itself instead of objects.
enum ValidModelDocument {
  /// Reads a model, or the current version of a package, and checks it.
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
