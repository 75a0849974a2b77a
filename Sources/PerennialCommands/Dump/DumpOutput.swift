import CoreData
import Files
import Foundation
import Seeding
import Texts

/// The output of a dump: standard output, a file, or a folder with a file for each entity.
struct DumpOutput {
  private enum Place {
    case standardOutput
    case file(String)
    case folder(String)
  }

  private let place: Place
  private let files: DumpFiles?
  let format: DumpFormat

  /// - Parameters:
  ///   - path: Nil for standard output. A path that ends with a slash, or that names a folder, means a folder.
  ///   - format: Nil for the format of the file name, or JSON if the name has none.
  ///   - files: The folder next to the dump that gets the binary values; nil for values in the dump itself.
  init(_ path: String?, format: DumpFormat?, files: String? = nil) throws {
    self.files = try files.map(DumpFiles.init)
    if files != nil, path.map({ $0.hasSuffix("/") || FileKind(resolving: $0) == .folder }) ?? true {
      throw CommandFailure(
        file: path ?? "the dump",
        problem: "files are written next to a dump that is a file",
        remedy: "give one with --output, such as dump.json"
      )
    }
    guard let path else {
      (place, self.format) = (.standardOutput, format ?? .json)
      return
    }
    if path.hasSuffix("/") || FileKind(resolving: path) == .folder {
      (place, self.format) = (.folder(path), format ?? .json)
      return
    }
    let name = SeedFileName((path as NSString).lastPathComponent)
    guard !name.isCompressed else {
      throw CommandFailure(file: path, problem: "a dump is not compressed", remedy: "compress it afterwards, with gzip")
    }
    let told = DumpFormat(fileName: (path as NSString).lastPathComponent)
    if let format, let told, format != told {
      throw CommandFailure(
        file: path,
        problem: "the name says .\(name.ending), and --format \(format.rawValue)",
        remedy: "give the name the end .\(format.rawValue), or leave --format out"
      )
    }
    guard name.ending != "tsv" else {
      throw CommandFailure(
        file: path,
        problem: "a dump writes no tables with tabs",
        remedy: "give the name the end .csv"
      )
    }
    (place, self.format) = (.file(path), format ?? told ?? .json)
  }

  /// Writes the seed, from which everything that the format cannot express has been removed.
  func write(_ seed: DumpedSeed) throws {
    switch place {
    case .standardOutput: try FileHandle.standardOutput.write(contentsOf: data(of: seed, name: nil, at: "the dump"))
    case .file(let path):
      var files = files
      let moved = files?.moveValues(of: seed) ?? seed
      if let warning = files?.warning { warn(warning) }
      let data = try data(of: moved, name: (path as NSString).lastPathComponent, at: path)
      try reportingFailures(at: path) {
        try files?.write(nextToFileAt: path)
        try FileOutput.write(data, to: URL(fileURLWithPath: path))
      }
    case .folder(let path): try write(seed, toFolder: path)
    }
  }

  /// The contents of a file.
  /// - Parameter name: The file's name, which names the entity of a table.
  private func data(of seed: DumpedSeed, name: String?, at path: String) throws -> Data {
    let text = format.text
    if text.isTable {
      guard seed.entities.count == 1, let entity = seed.entities.first?.name else {
        throw CommandFailure(
          file: path,
          problem: "a table has one entity, and the dump has \(seed.entities.count)",
          remedy:
            "give a folder with --output FOLDER/, or choose one entity with --entity and --references keys"
        )
      }
      if let name, EntityNames([entity]).match(SeedFileName(name).stem) != .one(entity) {
        throw CommandFailure(
          file: path,
          problem:
            "a table is of the entity that its file is named after, and this one has objects of \(entity)",
          remedy: "name it \(entity).csv"
        )
      }
    }
    let data = try text.data(of: seed, namedAfter: nil)
    warnOfSize(seed, data: data, text: text, at: path)
    return data
  }

  private func warnOfSize(_ seed: DumpedSeed, data: Data, text: any SeedText, at path: String) {
    guard let limit = text.neededLimit(of: seed, data: data) else { return }
    warn("\(path): larger than seeds are unless it is allowed; load it with --max-record \(limit)")
  }

  // MARK: - Folders

  /// Writes the folder completely or not at all. An existing folder is replaced only if it contains
  /// nothing but files that a dump writes.
  private func write(_ seed: DumpedSeed, toFolder path: String) throws {
    var place = path
    while place.count > 1, place.hasSuffix("/") { place.removeLast() }
    guard !seed.entities.isEmpty else {
      throw CommandFailure(
        file: path,
        problem: "a dump without objects is not a folder of seeds",
        remedy: "give a file"
      )
    }
    let text = format.text
    try checkNames(seed, path: path)
    let isThere = FileKind(at: place) != .nothing
    if isThere { try checkIsDump(place, seed: seed) }
    try reportingFailures(at: path) {
      let folder =
        "\(FilePlacing.folder(of: place))/.\((place as NSString).lastPathComponent)-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      for (name, records) in seed.entities {
        var part = seed
        part.entities = [(name, records)]
        let data = try text.data(of: part, namedAfter: name)
        let file = "\(name).\(format.rawValue)"
        warnOfSize(part, data: data, text: text, at: "\(place)/\(file)")
        try FileOutput.write(data, to: URL(fileURLWithPath: "\(folder)/\(file)"))
      }
      try FilePlacing.synchronizeFolder(folder)
      if isThere {
        try FilePlacing.replaceFolder(place, with: folder)
      } else {
        try FileManager.default.moveItem(atPath: folder, toPath: place)
        try FilePlacing.synchronizeFolder(FilePlacing.folder(of: place))
      }
    }
  }

  /// Checks that no two entities get the same file on a case-insensitive file system.
  ///
  /// - Throws: A `CommandFailure` that names the entities.
  private func checkNames(_ seed: DumpedSeed, path: String) throws {
    let names = Dictionary(grouping: seed.entities.map(\.name)) { $0.lowercased() }
    guard let same = names.values.first(where: { $0.count > 1 }) else { return }
    throw CommandFailure(
      file: path,
      problem:
        "\(same.sorted().joined(separator: " and ")) would be files of the same name in some file systems",
      remedy: "give a file"
    )
  }

  private func checkIsDump(_ place: String, seed: DumpedSeed) throws {
    guard FileKind(at: place) == .folder else {
      throw CommandFailure(
        file: place,
        problem: "this is not a folder, or a link to one",
        remedy: "give the folder itself"
      )
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: place)
    let entities = Set(seed.kinds.keys)
    let foreign = names.sorted().first { name in
      let parts = SeedFileName(name)
      return !entities.contains(parts.stem) || DumpFormat(rawValue: parts.ending) == nil
        || name != "\(parts.stem).\(parts.ending)" || FileKind(at: "\(place)/\(name)") != .regular
    }
    guard let foreign else { return }
    throw CommandFailure(
      file: place,
      problem:
        "the folder has \(foreign.abbreviated), which no dump of this store writes, and would be replaced as a whole",
      remedy: "give a new folder"
    )
  }

  private func reportingFailures(at path: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(
        file: path,
        problem: "the seed cannot be written here: \(error.localizedDescription)",
        remedy: "give another place with --output"
      )
    }
  }
}
