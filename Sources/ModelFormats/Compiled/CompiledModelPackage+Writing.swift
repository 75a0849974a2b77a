import Files
public import Foundation
import PropertyLists

extension CompiledModelPackage {
  /// Compiles a model into a `.momd`: a `.mom` for each version, and `VersionInfo.plist` with the current version's
  /// name, the version hashes and the version checksums. As in Apple-made packages, the name is left out if the source
  /// has one version and its `.xccurrentversion` is missing or does not name a version.
  ///
  /// Versions in the format before Xcode 4 are left out, with a warning.
  ///
  /// A `.momd` that is there already is replaced, once all is written.
  ///
  /// - Parameters:
  ///   - source: an `.xcdatamodeld`, or an `.xcdatamodel`, whose one version then is the current one.
  ///   - url: the folder to write.
  ///   - module: the module that the model is built into, see ``ModelDocument/compiled(module:file:)``.
  ///   - warn: receives parts that may be intended, such as unknown XML attributes.
  /// - Returns: the package that has been written.
  /// - Throws: `ModelFileError` if a version cannot be read or is invalid, or has a meaningless derivation, inverse or
  ///   element; if no version is current; or if the folder cannot be written.
  @discardableResult
  public static func compile(
    _ source: URL,
    to url: URL,
    module: String? = nil,
    warn: (ModelFileError) -> Void = { _ in }
  ) throws(ModelFileError) -> CompiledModelPackage {
    let files = try files(compiling: source, module: module, warn: warn)
    try ModelFolder.replace(url, with: files, suffixes: [".mom", ".omo", ".plist"])
    return try CompiledModelPackage(contentsOf: url)
  }

  /// The files of the `.momd` that a model is compiled into, by their names in it.
  ///
  /// - Parameter warn: receives parts that may be intended, such as unknown XML attributes.
  /// - Throws: `ModelFileError` when a version cannot be read or is not sound, or none is marked as current.
  package static func files(
    compiling source: URL,
    module: String?,
    warn: (ModelFileError) -> Void = { _ in }
  ) throws(ModelFileError) -> [(name: String, data: Data)] {
    var sources: [(name: String, url: URL)] = []
    let current: String?
    if source.pathExtension == "xcdatamodeld" {
      let package = try ModelPackage(contentsOf: source)
      let version = try package.currentVersion()
      // An error that names the format, where the current version is in the one before Xcode 4.
      _ = try ModelDocument.contentsFile(of: version.url)
      package.warnings.forEach(warn)
      sources = package.versions.map { ($0.name, $0.url) }
      current = package.declaredCurrentVersion ?? (sources.count > 1 ? version.name : nil)
    } else {
      let name = source.deletingPathExtension().lastPathComponent
      current = name
      sources = [(name, source)]
    }
    var files: [(name: String, data: Data)] = []
    var hashes: [(key: String, value: PropertyListValue)] = []
    var checksums: [(key: String, value: PropertyListValue)] = []
    for (name, url) in sources {
      let file = try ModelDocument.contentsFile(of: url)
      let document = try ModelDocument(contentsOf: file)
      try document.check(file: file.path)
      try document.checkForCompiling(file: file.path, warn: warn)
      files.append(("\(name).mom", try document.compiled(module: module, file: file.path)))
      let entities = ModelVersionHashes.entityHashes(of: document)
      let checksum = ModelVersionHashes.versionChecksum(of: entities)
      hashes.append(
        (name, .dictionary(ModelVersionHashes.ordered(entities).map { ($0.key, .data($0.value)) }))
      )
      checksums.append((name, .string(checksum)))
    }
    let info = BinaryPropertyListWriter.data(
      .dictionary(
        (current.map { [("NSManagedObjectModel_CurrentVersionName", .string($0))] } ?? []) + [
          ("NSManagedObjectModel_VersionHashes", .dictionary(hashes)),
          ("NSManagedObjectModel_VersionChecksums", .dictionary(checksums)),
        ]
      )
    )
    files.append((infoFile, info))
    return files
  }
}

extension ModelPackage {
  /// Writes an `.xcdatamodeld`: an `.xcdatamodel` for each version, and `.xccurrentversion` where a
  /// version is named as the current one.
  ///
  /// A package that is there already is replaced, once all is written.
  ///
  /// - Parameters:
  ///   - versions: the versions with their names.
  ///   - current: the name of the current one; `nil` for a package of one version that names none.
  ///   - url: the folder to write.
  /// - Throws: `ModelFileError` when the folder cannot be written.
  @discardableResult
  public static func write(
    _ versions: [(name: String, document: ModelDocument)],
    current: String?,
    to url: URL
  ) throws(ModelFileError) -> ModelPackage {
    var files = versions.map { version in
      (name: "\(version.name).xcdatamodel/contents", data: Data(version.document.contents.utf8))
    }
    if let current {
      let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        	<key>_XCCurrentVersionName</key>
        	<string>\(escaped("\(current).xcdatamodel"))</string>
        </dict>
        </plist>

        """
      files.append((".xccurrentversion", Data(plist.utf8)))
    }
    try ModelFolder.replace(url, with: files, suffixes: [".xcdatamodel", ".xccurrentversion"])
    return try ModelPackage(contentsOf: url)
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }
}

/// Writes the folders that contain models.
enum ModelFolder {
  /// Writes files into a new folder next to the target, and then puts the new folder at the target's path.
  ///
  /// - Parameter suffixes: the endings of the names that a folder of this kind contains; a folder
  ///   with any other file is not replaced.
  /// - Throws: `ModelFileError` if another file is at the path, or if the folder cannot be written.
  static func replace(_ url: URL, with files: [(name: String, data: Data)], suffixes: [String]) throws(ModelFileError) {
    let manager = FileManager.default
    let kind = FileKind(resolving: url.path)
    guard kind == .nothing || kind == .folder else {
      throw ModelFileError(
        .unwritable,
        file: url.path,
        problem: "the folder is not written, because there is \(kind.words); give another path"
      )
    }
    let url = FileKind(at: url.path) == .link ? url.resolvingSymlinksInPath() : url
    if kind == .folder {
      let other = try ModelFileReader.list(url).first { name in !suffixes.contains { name.hasSuffix($0) } }
      if let other {
        throw ModelFileError(
          .unwritable,
          file: url.path,
          problem: "the folder is not replaced, because it holds \(other) too; give another path"
        )
      }
    }
    let new = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent)-\(UUID().uuidString)")
    do {
      for (name, data) in files {
        let file = new.appendingPathComponent(name)
        try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
      }
      try put(new, at: url)
    } catch {
      try? manager.removeItem(at: new)
      throw ModelFileError(
        .unwritable,
        file: url.path,
        problem:
          "the folder cannot be written (\(error.localizedDescription)); check the path and its permissions"
      )
    }
  }

  /// Replaces a folder with another one, and restores the first if that fails.
  private static func put(_ new: URL, at url: URL) throws {
    let manager = FileManager.default
    guard FileKind(at: url.path) == .folder else { return try manager.moveItem(at: new, to: url) }
    let old = new.appendingPathExtension("old")
    try manager.moveItem(at: url, to: old)
    do {
      try manager.moveItem(at: new, to: url)
    } catch {
      try? manager.moveItem(at: old, to: url)
      throw error
    }
    try? manager.removeItem(at: old)
  }
}
