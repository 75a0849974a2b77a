import Files
import Foundation
import ModelFormats

/// The files that are made of a target's sources and models, before they are written.
package struct CompiledTarget {
  /// The problems of the sources and models; when there are any, there are no files.
  package private(set) var errors: [CompilationError] = []
  /// The things that may be meant as they are, and deserve a look.
  package private(set) var warnings: [CompilationError] = []
  private var files: [OutputFile] = []
  /// The paths of files and folders that earlier sources and models had, and that nothing makes any
  /// more.
  private var leftovers: [String] = []

  init(errors: [CompilationError]) { self.errors = errors }

  /// - Parameters:
  ///   - sourceWarnings: the warnings about sources.
  ///   - folder: the folder of all files, where it belongs to the tool alone.
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

  /// Writes the files that are not there as they should be, and removes those that nothing makes
  /// any more.
  ///
  /// - Throws: an error for a file that cannot be written or removed.
  package func write() throws {
    for file in files { try file.write() }
    for path in leftovers { try FileManager.default.removeItem(atPath: path) }
  }

  /// A file that is not as it would be written.
  package struct Difference: Hashable, Sendable {
    package enum Kind: String, Sendable {
      case missing, outdated, leftover
    }

    package let path: String
    package let kind: Kind
  }

  /// The files that ``write()`` would change, make or remove.
  package var differences: [Difference] {
    files.filter { !$0.isUpToDate }.map { file in
      Difference(path: file.path, kind: FileKind(behind: file.path) == .nothing ? .missing : .outdated)
    } + leftovers.map { Difference(path: $0, kind: .leftover) }
  }
}

/// A file that the tool makes: where it lies, and what is in it.
struct OutputFile {
  let path: String
  let data: Data

  /// True when the file is there with these contents.
  var isUpToDate: Bool {
    FileKind(behind: path) == .regular && FileManager.default.contents(atPath: path) == data
  }

  /// Writes the file, and leaves it alone where it would not change: what depends on it is not
  /// built again.
  ///
  /// - Throws: an error when the folder cannot be made or the file cannot be written.
  func write() throws {
    if isUpToDate { return }
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try FileOutput.write(data, to: url)
  }
}

/// The `.momd` that the program opens at run time for a model.
struct ModelOutput {
  /// The things that may be meant as they are, and deserve a look.
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
      // Whatever else lies there was not made here, and stays: the folder may be one of a user's
      // sources.
      !paths.contains(path) && (path.hasSuffix(".mom") || path.hasSuffix(".omo"))
        && FileKind(at: path) == .regular
    }
  }
}

/// The `.cdm` that the program finds at run time for a mapping model.
struct MappingOutput {
  let file: OutputFile
  /// What is left out of the mapping model.
  let warnings: [ModelFileError]

  /// Compiles a mapping model, and writes nothing yet.
  ///
  /// - Parameter models: the models of the target and of those that it depends on, among which the
  ///   two versions are looked for.
  /// - Throws: `ModelFileError` for a mapping model that is not sound.
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
