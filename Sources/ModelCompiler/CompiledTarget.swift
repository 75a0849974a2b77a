import Files
import Foundation
import ModelFormats

/// The files generated from a target's sources and models, before they are written.
package struct CompiledTarget {
  /// The errors in the sources and models. If there are any, no files are generated.
  package private(set) var errors: [CompilationError] = []
  /// The warnings about code that may be intended but should be checked.
  package private(set) var warnings: [CompilationError] = []
  private var files: [OutputFile] = []
  /// The paths of files and folders from earlier sources and models that are no longer generated.
  private var leftovers: [String] = []

  init(errors: [CompilationError]) { self.errors = errors }

  /// - Parameters:
  ///   - sourceWarnings: the warnings about sources.
  ///   - folder: the folder of all files, if only the tool writes into it.
  init(
    files: [OutputFile],
    models: [ModelOutput],
    mappings: [MappingOutput],
    sourceWarnings: [CompilationError] = [],
    in folder: PluginFolder? = nil
  ) {
    self.files = files + mappings.map(\.file) + models.flatMap(\.files)
    let outputs = files.map(\.path) + mappings.map(\.file.path) + models.map(\.folder)
    leftovers = models.flatMap(\.leftovers) + (folder?.leftovers(besides: outputs) ?? [])
    warnings =
      sourceWarnings
      + (models.flatMap(\.warnings) + mappings.flatMap(\.warnings)).map {
        CompilationError($0, isWarning: true)
      }
  }

  /// The paths of all files, in the order in which they are written.
  package var paths: [String] { files.map(\.path) }

  /// Writes the missing and outdated files, and removes those that are no longer generated.
  ///
  /// - Throws: an error for a file that cannot be written or removed.
  package func write() throws {
    for file in files { try file.write() }
    for path in leftovers { try FileManager.default.removeItem(atPath: path) }
  }

  /// A file that differs from the generated one.
  package struct Difference: Hashable, Sendable {
    package enum Kind: String, Sendable {
      case missing, outdated, leftover
    }

    package let path: String
    package let kind: Kind
  }

  /// The files that ``write()`` would change, create or remove.
  package var differences: [Difference] {
    files.filter { !$0.isUpToDate }.map { file in
      Difference(path: file.path, kind: FileKind(resolving: file.path) == .nothing ? .missing : .outdated)
    } + leftovers.map { Difference(path: $0, kind: .leftover) }
  }
}

/// A file that the tool generates: its path and its contents.
struct OutputFile {
  let path: String
  let data: Data

  /// True when the file exists with these contents.
  var isUpToDate: Bool { FileKind(resolving: path) == .regular && FileManager.default.contents(atPath: path) == data }

  /// Writes the file unless it is up to date, so that the build does not rebuild what depends on it.
  ///
  /// - Throws: an error when the folder cannot be created or the file cannot be written.
  func write() throws {
    if isUpToDate { return }
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileOutput.write(data, to: url)
  }
}

/// The `.momd` of a model, which the program opens at run time.
struct ModelOutput {
  /// The warnings about code that may be intended but should be checked.
  private(set) var warnings: [ModelFileError] = []
  let folder: String
  let files: [OutputFile]

  /// Compiles a model without writing files.
  ///
  /// - Parameter module: the target's module, which contains the classes whose names begin with a dot.
  /// - Throws: `ModelFileError` for an invalid model.
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

  /// The files of the model's earlier versions, which migrations would still find.
  var leftovers: [String] {
    let paths = Set(files.map(\.path))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { "\(folder)/\($0)" }.filter { path in
      // Other files were not generated here and stay, because the folder may be one of a user's sources.
      !paths.contains(path) && (path.hasSuffix(".mom") || path.hasSuffix(".omo"))
        && FileKind(at: path) == .regular
    }
  }
}

/// The `.cdm` of a mapping model, which the program finds at run time.
struct MappingOutput {
  let file: OutputFile
  /// The warnings about parts that are left out of the mapping model.
  let warnings: [ModelFileError]

  /// Compiles a mapping model without writing files.
  ///
  /// - Parameter models: the models of the target and its dependencies, among which the tool looks for
  ///   the source and destination versions.
  /// - Throws: `ModelFileError` for an invalid mapping model.
  init(_ mapping: ModelCompilation.Mapping, models: [String]) throws(ModelFileError) {
    let urls = models.map { URL(fileURLWithPath: $0) }
    let package = try MappingPackage(contentsOf: URL(fileURLWithPath: mapping.source))
    let data = try package.compiled {
      (_, path) throws(ModelFileError) in
      path.flatMap { MappingPackage.version(atProjectPath: $0, among: urls) }
    }
    file = OutputFile(path: mapping.output, data: data)
    warnings = package.warnings
  }
}
