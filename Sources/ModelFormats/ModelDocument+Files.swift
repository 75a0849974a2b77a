public import Foundation

extension ModelDocument {
  /// Reads a model: the current version of an `.xcdatamodeld` or a compiled `.momd`, an
  /// `.xcdatamodel`, a `.mom`, or the XML file inside an `.xcdatamodel`.
  ///
  /// - Throws: `ModelFileError` if the file does not exist, cannot be read, or is not a model.
  public init(contentsOf url: URL) throws(ModelFileError) {
    let file = try Self.contentsFile(of: url)
    let data = try ModelFileReader.read(file)
    if file.pathExtension == "mom" {
      try self.init(compiled: data, file: file.path)
    } else {
      try self.init(contents: data, file: file.path)
    }
  }

  /// Reads a compiled model: the bytes of a `.mom`, or the archive of its model that a store contains.
  ///
  /// The archive does not contain layout, synchronisation and code generation. Of fetch requests,
  /// only entity, predicate, limit, batch size and result type are read.
  ///
  /// - Parameters:
  ///   - data: the archive.
  ///   - file: the name by which messages call the file.
  /// - Throws: `ModelFileError` if the data is not an archive of a model, or is damaged.
  public init(compiled data: Data, file: String? = nil) throws(ModelFileError) {
    self = try CompiledModelReader(data, file: file).document()
  }

  /// The file that `init(contentsOf:)` reads.
  ///
  /// - Throws: `ModelFileError` if the folder does not have such a file, or does not have a current version.
  public static func contentsFile(of url: URL) throws(ModelFileError) -> URL {
    try contentsFile(of: url, warn: { _ in })
  }

  /// The file that `init(contentsOf:)` reads.
  ///
  /// - Parameter warn: takes the warnings of an `.xcdatamodeld`.
  /// - Throws: `ModelFileError` if the folder does not have such a file, or does not have a current version.
  package static func contentsFile(of url: URL, warn: (ModelFileError) -> Void) throws(ModelFileError) -> URL {
    if url.pathExtension == "xcdatamodeld" {
      let package = try ModelPackage(contentsOf: url)
      let version = try package.currentVersion()
      package.warnings.forEach(warn)
      return try contentsFile(of: version.url)
    }
    if url.pathExtension == "momd" { return try CompiledModelPackage(contentsOf: url).currentVersion().url }
    if url.pathExtension == "omo" { throw ModelFileReader.optimized(url) }
    guard ModelFileReader.isDirectory(url) else { return url }
    let names = try ModelFileReader.list(url)
    if names.contains("contents") { return url.appendingPathComponent("contents") }
    if names.contains("elements") {
      throw ModelFileError(.corrupt, file: url.path, problem: ModelFileReader.outdatedProblem)
    }
    throw ModelFileError(
      .corrupt,
      file: url.path,
      problem: "the folder has no file named contents, which a model needs"
    )
  }
}

/// Reading files and folders, with errors that name them.
enum ModelFileReader {
  static let outdatedProblem = """
    the model is in the format of before Xcode 4, which is not XML; \
    open it in Xcode once and save it with the minimum tools version "Xcode 4.3" or later
    """

  /// True for an `.xcdatamodel` in the format before Xcode 4.
  static func isOutdatedModel(_ url: URL) -> Bool {
    func exists(_ name: String) -> Bool {
      FileManager.default.fileExists(atPath: url.appendingPathComponent(name).path)
    }
    return exists("elements") && !exists("contents")
  }

  /// The error for an `.omo`, which is next to the `.mom` of the same version.
  static func optimized(_ url: URL) -> ModelFileError {
    let model = url.deletingPathExtension().appendingPathExtension("mom").lastPathComponent
    return ModelFileError(
      .corrupt,
      file: url.path,
      problem: """
        this is an optimized copy of a compiled model, which only Apple's framework reads; \
        give the \(model) next to it, or the .momd that both are in
        """
    )
  }

  static func isDirectory(_ url: URL) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  static func list(_ url: URL) throws(ModelFileError) -> [String] {
    if !FileManager.default.fileExists(atPath: url.path) { throw missing(url) }
    if !isDirectory(url) {
      throw ModelFileError(.corrupt, file: url.path, problem: "this should be a folder, and is a file")
    }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      throw unreadable(url, error: error)
    }
  }

  static func read(_ url: URL) throws(ModelFileError) -> Data {
    if !FileManager.default.fileExists(atPath: url.path) { throw missing(url) }
    do {
      return try Data(contentsOf: url)
    } catch {
      throw unreadable(url, error: error)
    }
  }

  private static func missing(_ url: URL) -> ModelFileError {
    ModelFileError(.missing, file: url.path, problem: "there is no such file")
  }

  private static func unreadable(_ url: URL, error: any Error) -> ModelFileError {
    ModelFileError(
      .unreadable,
      file: url.path,
      problem: "the file cannot be read (\(error.localizedDescription)); check its permissions"
    )
  }
}
