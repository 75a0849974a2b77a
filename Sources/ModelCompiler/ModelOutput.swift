import Files
import Foundation
import ModelFormats

/// The `.momd` that the program opens at run time for a model.
struct ModelOutput {
  /// What may be meant as it is and deserves a look.
  private(set) var warnings: [ModelFileError] = []
  let folder: String
  let files: [OutputFile]

  /// Compiles a model, and writes nothing yet.
  ///
  /// - Parameter module: the target's module, which class names that begin with a dot are in.
  /// - Throws: `ModelFileError` for a model that is not sound.
  init(_ model: ModelCompilation.Model, module: String) throws(ModelFileError) {
    var warnings: [ModelFileError] = []
    let folder = model.output
    let files = try CompiledModelPackage.files(
      compiling: URL(fileURLWithPath: model.source),
      module: module,
      warn: { warnings.append($0) }
    )
    self.folder = folder
    self.files = files.map { OutputFile(path: "\(folder)/\($0.name)", data: $0.data) }
    self.warnings = warnings
  }

  /// The files of versions that the model had earlier: migrations would still find them.
  var leftovers: [String] {
    let paths = Set(files.map(\.path))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { "\(folder)/\($0)" }.filter { path in
      // Whatever else lies there was not made here, and stays: the folder may be one of a user's sources.
      !paths.contains(path) && (path.hasSuffix(".mom") || path.hasSuffix(".omo"))
        && FileKind(at: path) == .regular
    }
  }
}
