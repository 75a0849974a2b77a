import ArgumentParser
import Seeding

/// The options that limit the memory and time for a seed.
struct LimitOptions: ParsableArguments {
  @Option(
    help: """
      The most bytes that a seed may have, expanded where it is compressed: 5000000, 500KB, 5MB, 1GB. Without it 256 MB of a \
      URL, and 4 GiB of a file.
      """
  )
  var maxSize: String?

  @Option(
    help: """
      The most bytes that a record may have, 32 MiB without it, and a seed in YAML or a property list, 64 MiB without it.
      """
  )
  var maxRecord: String?

  func validate() throws {
    for (name, text) in [("--max-size", maxSize), ("--max-record", maxRecord)] {
      guard let text, Self.bytes(text) == nil else { continue }
      throw ValidationError("\(name) \(text): give bytes, or such as 5MB.")
    }
  }

  /// The largest size of a seed in bytes; nil for the usual limit.
  var largestSize: Int? { maxSize.flatMap(Self.bytes) }

  var limits: SeedLimits {
    var limits = SeedLimits()
    limits.largestSize = largestSize ?? limits.largestSize
    if let bytes = maxRecord.flatMap(Self.bytes) {
      limits.largestRecord = bytes
      limits.largestDocument = bytes
    }
    return limits
  }

  /// The number of bytes that a text gives; nil if it does not give a positive number.
  static func bytes(_ size: String) -> Int? {
    let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000), ("", 1)]
    for (unit, factor) in units where size.uppercased().hasSuffix(unit) {
      guard let number = Int(size.dropLast(unit.count)), number > 0 else { return nil }
      let (product, isOver) = number.multipliedReportingOverflow(by: factor)
      return isOver ? nil : product
    }
    return nil
  }
}
