/// The formats in which data can be generated.
public enum GeneratedSeedFormat: String, Hashable, Sendable, CaseIterable {
  /// An object with a list of records for each entity.
  case json

  /// A record a line, with its entity under `$entity`.
  case jsonLines = "jsonl"

  /// The format of a file name's ending; nil for endings other than `.json`, `.jsonl` and `.ndjson`.
  ///
  /// ```swift
  /// let format = GeneratedSeedFormat(fileName: "notes.jsonl")
  /// print(format == .jsonLines)  // true
  /// ```
  public init?(fileName: String) {
    let name = fileName.lowercased()
    if name.hasSuffix(".json") {
      self = .json
    } else if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") {
      self = .jsonLines
    } else {
      return nil
    }
  }
}
