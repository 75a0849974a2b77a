import Digests
import Files
import Foundation
import Seeding
import Texts

/// The binary values of a dump as files in a folder next to it. Records name the files by `$file`.
///
/// A file is named after its content. Equal values therefore share one file, and dumps of equal stores name the same files.
struct DumpFiles {
  /// The folder's path in the records.
  private let folder: String
  private var contents: [String: Data] = [:]

  /// - Parameter folder: A path relative to the folder of the dump.
  init(_ folder: String) throws {
    var folder = folder
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    guard SeedFilePath.isUsable(folder) else {
      throw CommandFailure(
        file: folder,
        problem: "the files of a dump are in a folder next to it",
        remedy: "give the name of a folder with --files, without \"..\" and without a slash at its beginning"
      )
    }
    self.folder = folder
  }

  /// Replaces the seed's binary values by the names of files. Empty data stays as it is.
  mutating func moveValues(of seed: DumpedSeed) -> DumpedSeed {
    var moved = seed
    for (place, entity) in seed.entities.enumerated() {
      var records: [DumpedRecord] = []
      for record in entity.records {
        var record = record
        for (name, value) in record.fields { record.fields[name] = moving(value) }
        records.append(record)
      }
      moved.entities[place].records = records
    }
    return moved
  }

  private mutating func moving(_ value: ResultValue) -> ResultValue {
    switch value {
    case .data(let data) where !data.isEmpty:
      let hash = HexadecimalDigits.of(SHA256.hash(data: data))
      let path = "\(folder)/\(hash.prefix(32)).\(Self.ending(of: data))"
      contents[path] = data
      return .fields(["$file": .text(path), "$sha256": .text(hash)])
    case .fields(let fields):
      var moved: [String: ResultValue] = [:]
      for (name, value) in fields { moved[name] = moving(value) }
      return .fields(moved)
    default: return value
    }
  }

  /// Writes each file completely or not at all. Other files in the folder stay.
  /// - Parameter path: The file of the dump.
  func write(nextToFileAt path: String) throws {
    guard !contents.isEmpty else { return }
    let place = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: place.appendingPathComponent(folder), withIntermediateDirectories: true)
    for (name, data) in contents.sorted(by: { $0.key < $1.key }) {
      try FileOutput.write(data, to: place.appendingPathComponent(name))
    }
  }

  /// The warning that loading the dump needs a higher limit; nil where the usual limits suffice.
  var warning: String? {
    let limits = SeedLimits()
    let (largest, total) = contents.values.reduce((0, 0)) { (max($0.0, $1.count), $0.1 + $1.count) }
    var options: [String] = []
    if largest > limits.largestRecord { options.append("--max-record \(largest)") }
    if total > limits.largestSize { options.append("--max-size \(total)") }
    if options.isEmpty { return nil }
    return
      "\(folder): files are larger than those of seeds are; load it with \(options.joined(separator: " "))"
  }

  /// The file name extension for data, by the first bytes.
  private static func ending(of data: Data) -> String {
    let beginnings: [([UInt8], String)] = [
      ([0xFF, 0xD8, 0xFF], "jpg"), ([0x89, 0x50, 0x4E, 0x47], "png"), (Array("GIF8".utf8), "gif"),
      (Array("%PDF".utf8), "pdf"),
    ]
    return beginnings.first { data.starts(with: $0.0) }?.1 ?? "bin"
  }
}
