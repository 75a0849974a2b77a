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
  }

  package static let metadataKey = "PerennialSeeds"
  private static let dateKey = "date"
  private static let recordsKey = "records"

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
      records: records.compactMapValues { ($0 as? NSNumber)?.intValue }
    )
  }

  mutating func add(name: String, contentHash: String, date: Date, records: [String: Int]) {
    seeds[name, default: [:]][contentHash] = [
      Self.dateKey: date,
      Self.recordsKey: records.mapValues { NSNumber(value: $0) },
    ]
  }

  func write(to metadata: inout [String: Any]) {
    metadata[Self.metadataKey] = seeds
  }
}
