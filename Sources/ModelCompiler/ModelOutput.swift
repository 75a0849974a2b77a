import Files
import Foundation
import ModelFormats

/// The `.momd` that the program opens at run time for a model.
struct ModelOutput {
  /// What may be meant as it is and deserves a look.
  private(set) var warnings: [ModelFileError] = []
  private let folder: String
  private let files: [(name: String, data: Data)]

  /// Compiles a model, and writes nothing yet.
  ///
  /// - Parameter module: the target's module, which class names that begin with a dot are in.
  /// - Throws: `ModelFileError` for a model that is not sound.
  init(_ model: ModelCompilation.Model, module: String) throws(ModelFileError) {
    var warnings: [ModelFileError] = []
    folder = model.output
    files = try CompiledModelPackage.files(
      compiling: URL(fileURLWithPath: model.source),
      module: module,
      warn: { warnings.append($0) }
    )
    self.warnings = warnings
  }

  func write() throws {
    for (name, data) in files { try OutputFile.write(data, to: "\(folder)/\(name)") }
    try Self.removeVersions(from: folder, but: Set(files.map(\.name)))
  }

  /// Versions that the model had earlier would still be found by migrations.
  private static func removeVersions(from folder: String, but names: Set<String>) throws {
    let manager = FileManager.default
    for name in try manager.contentsOfDirectory(atPath: folder) where !names.contains(name) {
      // What is neither a file nor a folder is nothing that was made here.
      let path = "\(folder)/\(name)"
      if [.regular, .folder].contains(FileKind(at: path)) { try manager.removeItem(atPath: path) }
    }
  }
}
