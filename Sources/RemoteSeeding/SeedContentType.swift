import Seeding

/// The content types of seeds.
enum SeedContentType {
  /// The content types that servers give to files whose type they do not know.
  private static let unspecific: Set<String> = [
    "application/octet-stream", "binary/octet-stream", "application/binary", "text/plain",
  ]

  private static let json: Set<String> = ["application/json", "text/json"]

  private static let types: [(ending: String, types: Set<String>)] = [
    ("json", json),
    (
      "jsonl",
      json.union([
        "application/jsonl", "application/x-jsonlines", "application/jsonlines", "application/x-ndjson",
        "application/ndjson",
      ])
    ),
    ("csv", ["text/csv", "application/csv"]),
    ("tsv", ["text/tab-separated-values"]),
    ("yaml", ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/vnd.yaml"]),
    ("plist", ["application/x-plist", "application/xml", "text/xml"]),
  ]

  /// The content types that a file with that name may have; if the name does not give a format, those of all formats.
  static func all(for name: SeedFileName) -> Set<String> {
    let endings = ["ndjson": "jsonl", "yml": "yaml"]
    let ending = endings[name.ending] ?? name.ending
    var all = types.first { $0.ending == ending }?.types ?? types.reduce(into: []) { $0.formUnion($1.types) }
    all.formUnion(unspecific)
    if name.isCompressed { all.formUnion(["application/gzip", "application/x-gzip", "application/x-gunzip"]) }
    return all
  }

  /// The file name ending for a content type; nil if the type does not give a format.
  static func ending(for type: String?) -> String? {
    guard let type, !unspecific.contains(type) else { return nil }
    return types.first { $0.types.contains(type) }?.ending
  }

  /// A header's value without parameters, such as the character set.
  static func bare(_ value: String) -> String {
    value.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
  }
}
