import CoreData
package import Foundation

/// The account that a store's metadata keep of the seeds it took in.
///
/// Under the key `PerennialSeeds` stands a dictionary by seed name, in it one by content hash, in it the date and
/// the number of records by entity. All of it is property list values, as Apple's documentation of
/// `NSPersistentStore.metadata` asks.
package struct SeedLedger {
  /// A seed that was taken in.
  package struct Entry: Sendable {
    package let name: String
    package let contentHash: String
    package let date: Date?
    package let records: [String: Int]

    /// Where it was fetched, if it was.
    package let origin: SeedOrigin?
  }

  package static let metadataKey = "PerennialSeeds"
  private static let dateKey = "date"
  private static let recordsKey = "records"
  private static let addressKey = "address"
  private static let entityTagKey = "etag"
  private static let lastModifiedKey = "lastModified"

  private var seeds: [String: [String: [String: Any]]] = [:]

  package init(metadata: [String: Any]) {
    guard let seeds = metadata[Self.metadataKey] as? [String: Any] else { return }
    for (name, value) in seeds {
      guard let entries = value as? [String: Any] else { continue }
      self.seeds[name] = entries.compactMapValues { $0 as? [String: Any] }
    }
  }

  /// All entries, by name and then by date.
  package var entries: [Entry] {
    seeds.keys.sorted().flatMap { name in
      (seeds[name] ?? [:]).keys
        .compactMap { entry(name: name, contentHash: $0) }
        .sorted { ($0.date ?? .distantPast, $0.contentHash) < ($1.date ?? .distantPast, $1.contentHash) }
    }
  }

  package func entry(name: String, contentHash: String) -> Entry? {
    guard let entry = seeds[name]?[contentHash] else { return nil }
    let records = entry[Self.recordsKey] as? [String: Any] ?? [:]
    return Entry(
      name: name,
      contentHash: contentHash,
      date: entry[Self.dateKey] as? Date,
      // The metadata may be anybody's, and the numbers are added up.
      records: records.compactMapValues { ($0 as? NSNumber).map { min(max(0, $0.intValue), 1 << 40) } },
      origin: (entry[Self.addressKey] as? String).map { address in
        SeedOrigin(
          address: address,
          entityTag: entry[Self.entityTagKey] as? String,
          lastModified: entry[Self.lastModifiedKey] as? String
        )
      }
    )
  }

  /// What was taken in last under a name from one address.
  func latest(of name: String, from address: String) -> Entry? {
    (seeds[name] ?? [:]).keys
      .compactMap { entry(name: name, contentHash: $0) }
      .filter { $0.origin?.address == address }
      .max { ($0.date ?? .distantPast) < ($1.date ?? .distantPast) }
  }

  /// Takes note of seeds that are in the store now, with the numbers of their records by entity.
  mutating func add(_ taken: [LoadedSeed], _ recordCounts: [[String: Int]], at date: Date) {
    for (seed, records) in zip(taken, recordCounts) {
      var entry: [String: Any] = [
        Self.dateKey: date,
        Self.recordsKey: records.mapValues { NSNumber(value: $0) },
      ]
      entry[Self.addressKey] = seed.origin?.address
      entry[Self.entityTagKey] = seed.origin?.entityTag
      entry[Self.lastModifiedKey] = seed.origin?.lastModified
      seeds[seed.name, default: [:]][seed.contentHash] = entry
    }
  }

  func write(to metadata: inout [String: Any]) {
    metadata[Self.metadataKey] = seeds
  }
}
