/// The formats of seeds, known by the end of a file's name. Each may be compressed, with `.gz` at the end.
package enum SeedFormat {
  /// An object whose keys name entities and whose values are lists of records.
  case json

  /// One record a line, of the entity that `$entity` in it names, or the file.
  case jsonLines

  /// One record a row, of the entity that the file names; the first row has the keys.
  case separatedValues

  /// The shape of `json`, in YAML.
  case yaml

  /// The shape of `json`, as a property list.
  case propertyList

  /// The ends of names, as an error lists them.
  static let endings = ".json, .jsonl, .csv, .tsv, .yaml or .plist, each also with .gz"

  /// Nil if the name does not end with a known format.
  package init?(_ name: SeedFileName) {
    switch name.ending {
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonLines
    case "csv", "tsv": self = .separatedValues
    case "yaml", "yml": self = .yaml
    case "plist": self = .propertyList
    default: return nil
    }
  }
}

/// The parts of a seed file's name: `notes.nl.csv.gz` is a compressed table of notes, in Dutch.
package struct SeedFileName {
  /// The name without its endings, which is a word for an entity in formats of one entity a file.
  package let stem: String

  /// The parts of the name between the stem and the format, which name the file's variant: an environment, a language.
  package let variants: [String]

  /// The ending that gives the format, in lower case and without the dot.
  package let ending: String

  package let isCompressed: Bool

  package init(_ name: String) {
    var parts =
      (name.split(separator: "/").last?.split(separator: ".", omittingEmptySubsequences: false) ?? [])
      .map(String.init)
    isCompressed = parts.count > 1 && parts.last?.lowercased() == "gz"
    if isCompressed { parts.removeLast() }
    ending = parts.count > 1 ? parts.removeLast().lowercased() : ""
    stem = parts.first ?? ""
    variants = Array(parts.dropFirst())
  }

  /// The name without the variant: `notes.csv.gz`.
  var common: String { stem + (ending.isEmpty ? "" : "." + ending) + (isCompressed ? ".gz" : "") }
}
