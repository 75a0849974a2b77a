/// The limits of the memory and time that a seed may ask for.
///
/// A seed that asks for more ends its run with a `SeedError` of the code `tooLarge` that names the file and the line,
/// and the store stays as it was. A program that seeds larger things of its own raises the limit:
///
/// ```swift
/// var source = SeedSource.file(url)
/// source.limits.largestRecord = 256 << 20
/// try await Seeder(source).run(in: container)
/// ```
public struct SeedLimits: Hashable, Sendable {
  /// The largest number of bytes of a seed after decompression. 4 GiB unless set otherwise; for a
  /// remote seed, `largestSize` of its options applies instead.
  public var largestSize = 4 << 30

  /// The most bytes that the text of one record may have in JSON, JSON Lines and tables, blanks within it included. 32
  /// MiB unless set otherwise. A record may have a value for each 32 of these bytes. A file that a value is taken from
  /// may have as many, and all such files of a seed together as many as the seed (``largestSize``).
  public var largestRecord = 32 << 20

  /// The most bytes that a seed in YAML or a property list may have, which are read as a whole. 64
  /// MiB unless set otherwise. Such a seed may have a value for each 64 of these bytes.
  public var largestDocument = 64 << 20

  /// Creates the limits that have not been set otherwise.
  public init() {}

  /// The most values that one record may have.
  package var mostValuesOfRecord: Int { max(1, largestRecord / 32) }

  /// The largest number of values of a seed that is read as a whole.
  package var mostValuesOfDocument: Int { max(1, largestDocument / 64) }
}

extension SeedError {
  /// The text of a record exceeds the limit.
  static func largeRecord(at position: SeedPosition, limits: SeedLimits, hint: String = "") -> SeedError {
    SeedError(
      code: .tooLarge,
      at: position,
      problem: "a record has more than the \(limits.largestRecord) bytes that are allowed\(hint)",
      remedy: "split it, or allow larger records"
    )
  }

  /// A seed has too many values to be read as a whole.
  static func manyValues(in position: SeedPosition, limits: SeedLimits) -> SeedError {
    SeedError(
      code: .tooLarge,
      at: position,
      problem:
        "the seed may have more than the \(limits.mostValuesOfDocument) values that are allowed of one that is read as a "
        + "whole",
      remedy: "split it, write it as JSON, which is read record by record, or allow more"
    )
  }
}
