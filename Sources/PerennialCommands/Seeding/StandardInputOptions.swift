import ArgumentParser
import Foundation
import Seeding

/// The options for a seed on standard input. They give what a file name says about other seeds.
struct StandardInputOptions: ParsableArguments {
  /// The argument that means standard input.
  static let argument = "-"

  private static let formats = ["json", "jsonl", "ndjson", "csv", "tsv", "yaml", "yml", "plist"]

  @Option(
    help: ArgumentHelp(
      """
      The format of the seed on standard input: json, jsonl, csv, tsv, yaml or plist, each also with .gz behind it. Without \
      it the end of --name tells the format.
      """,
      valueName: "format"
    )
  )
  var format: String?

  @Option(
    help: ArgumentHelp(
      """
      The name under which the store's ledger has the seed on standard input, and errors name it: stdin without one. \
      Records of a table are of the entity that it begins with, as in notes.csv.
      """,
      valueName: "name"
    )
  )
  var name: String?

  /// A file name with the seed's format; nil where neither option gives a format.
  private var fileName: String? {
    let name = name ?? "stdin"
    guard let format = format?.lowercased() else { return SeedFormat(SeedFileName(name)) == nil ? nil : name }
    return SeedFileName(name).hasEnding(format) ? name : "\(name).\(format)"
  }

  func check(_ seeds: [String]) throws {
    let count = seeds.count { $0 == Self.argument }
    guard count > 0 else {
      guard format == nil, name == nil else {
        throw ValidationError("--format and --name are of a seed on standard input; give it as -.")
      }
      return
    }
    guard count == 1 else { throw ValidationError("Standard input can be read once; give one -.") }
    if let format, !Self.formats.contains(Self.plain(format)) {
      throw ValidationError("--format \(format): give json, jsonl, csv, tsv, yaml or plist, each also with .gz.")
    }
    guard fileName != nil else { throw ValidationError("Nothing tells the format of standard input; give --format.") }
  }

  private static func plain(_ format: String) -> String {
    format.lowercased().hasSuffix(".gz") ? String(format.lowercased().dropLast(3)) : format.lowercased()
  }

  func source(_ limits: SeedLimits) -> SeedSource {
    var source = SeedSource.stream(.standardInput, name: fileName ?? "stdin.json")
    source.limits = limits
    return source
  }
}

extension SeedFileName {
  /// Returns true when the name ends with a format, and with `.gz` if the file is compressed.
  fileprivate func hasEnding(_ format: String) -> Bool { ending + (isCompressed ? ".gz" : "") == format }
}
