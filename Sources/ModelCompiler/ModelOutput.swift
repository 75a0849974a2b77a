import Files
import Foundation
import ModelFormats

/// Writes the `.momd` that the program opens at run time for a model.
enum ModelOutput {
  /// - Parameter module: the target's module, which class names that begin with a dot are in.
  static func write(_ model: ModelCompilation.Model, module: String) throws {
    let files = try CompiledModelPackage.files(
      compiling: URL(fileURLWithPath: model.source),
      module: module,
      sha256: SHA256.digest
    )
    for (name, data) in files { try OutputFile.write(data, to: "\(model.output)/\(name)") }
    try removeVersions(from: model.output, but: Set(files.map(\.name)))
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
