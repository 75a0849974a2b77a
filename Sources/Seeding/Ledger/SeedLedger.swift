import CoreData
package import Foundation

/// The seeds that a store has imported, as recorded in the store's metadata.
///
/// The key `PerennialSeeds` holds a dictionary by seed name. Each of its values is a dictionary by content hash, with
/// the date, the position in the sequence of all imports, and the number of records by entity. The last entry of a seed
/// also has the objects that the seed contained (`SeedObjects`). All of these are property list values, as Apple's
/// documentation of `NSPersistentStore.metadata` asks.
///
/// A fetched seed is identified by its name and its address, any other seed by its name alone. A step of a plan that
/// runs code is identified by the word "step" followed by its name, and has a fixed word instead of a content hash.
package struct SeedLedger {
  /// One import of a seed.
  package struct Entry: Sendable {
    package let name: String
    package let contentHash: String
    package let date: Date?
    package let records: [String: Int]

    /// The origin of a fetched seed.
    package let origin: SeedOrigin?

    /// The address of the seed that could not be fetched, if this seed was imported as its
    /// fallback. The ledger treats the two as one seed when it records their objects.
    let standsFor: String?

    /// The address of the seed that it is a version of; nil where that is not fetched.
    var address: String? { origin?.address ?? standsFor }

    /// Its place in the order in which the store took seeds in, from 1; 0 in ledgers that did not keep it.
    package let order: Int

    fileprivate static func isBefore(_ one: Entry, other: Entry) -> Bool {
      (one.order, one.date ?? .distantPast, one.contentHash)
        < (other.order, other.date ?? .distantPast, other.contentHash)
    }
  }

  package static let metadataKey = "PerennialSeeds"

  /// The word that a step of code has instead of a content hash.
  package static let codeHash = "code"
  private static let dateKey = "date"
  private static let orderKey = "order"
  private static let recordsKey = "records"
  private static let addressKey = "address"
  private static let standsForKey = "standsFor"
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

  /// All entries, sorted by name and then by the order of the imports.
  package var entries: [Entry] { seeds.keys.sorted().flatMap { entries(named: $0) } }

  /// The entries of a name, in the order of the imports.
  private func entries(named name: String) -> [Entry] {
    (seeds[name] ?? [:]).keys.compactMap { entry(name: name, contentHash: $0) }.sorted(by: Entry.isBefore)
  }

  package func entry(name: String, contentHash: String) -> Entry? {
    guard let entry = seeds[name]?[contentHash] else { return nil }
    let records = entry[Self.recordsKey] as? [String: Any] ?? [:]
    return Entry(
      name: name,
      contentHash: contentHash,
      date: entry[Self.dateKey] as? Date,
      // Other programs can write into the metadata, and the numbers are added up.
      records: records.compactMapValues { ($0 as? NSNumber).map { min(max(0, $0.intValue), 1 << 40) } },
      origin: (entry[Self.addressKey] as? String).map { address in
        SeedOrigin(
          address: address,
          entityTag: entry[Self.entityTagKey] as? String,
          lastModified: entry[Self.lastModifiedKey] as? String
        )
      },
      standsFor: entry[Self.standsForKey] as? String,
      order: min(max(0, (entry[Self.orderKey] as? NSNumber)?.intValue ?? 0), 1 << 40)
    )
  }

  /// The last entry of each seed.
  var lastEntries: [Entry] {
    seeds.keys.sorted().flatMap { name in
      Dictionary(entries(named: name).map { ($0.address, $0) }) { $1 }.values
    }
  }

  /// The last entry of a seed or of what stood in for it; nil when the store never took any in.
  func lastVersion(of seed: LoadedSeed) -> Entry? {
    entries(named: seed.name).last { $0.address == seed.address }
  }

  /// The last entry of a seed; nil when the store never took it in.
  func last(of name: String, from address: String?) -> Entry? {
    entries(named: name).last { $0.origin?.address == address }
  }

  /// The first entry of a seed of the name; nil when the store never took one in.
  func firstEntry(of name: String) -> Entry? { entries(named: name).first }

  /// The entry that shows that the store has the seed's current content: the last entry of that
  /// seed, if its content is the same.
  ///
  /// If a seed's name is unknown, because its file was moved to another folder or because the
  /// ledger is older, the last import of a file with the same file name is used.
  func current(_ seed: LoadedSeed) -> Entry? {
    let known = last(of: seed.name, from: seed.origin?.address) ?? lastNamesake(of: seed.name)
    return known?.contentHash == seed.contentHash ? known : nil
  }

  private func lastNamesake(of name: String) -> Entry? {
    let file = Self.fileName(name)
    return seeds.keys.filter { Self.fileName($0) == file }.flatMap { entries(named: $0) }.max(by: Entry.isBefore)
  }

  private static func fileName(_ name: String) -> Substring { name.split(separator: "/").last ?? "" }

  /// The objects of a seed from its last entry, under the names that entities have in a model.
  func objects(of entry: Entry, in model: NSManagedObjectModel, hasValues: Bool = true) -> SeedObjects {
    SeedObjects(seeds[entry.name]?[entry.contentHash] ?? [:], hasValues: hasValues).renamed(for: model)
  }

  /// Records an imported seed with the numbers of its records by entity and with its objects.
  mutating func add(_ seed: LoadedSeed, records: [String: Int], objects: SeedObjects, at date: Date) {
    // Only the last entry has the seed's objects.
    for entry in entries(named: seed.name) where entry.address == seed.address {
      for key in SeedObjects.keys { seeds[seed.name]?[entry.contentHash]?[key] = nil }
    }
    var entry = newEntry(records, at: date)
    entry[Self.addressKey] = seed.origin?.address
    entry[Self.standsForKey] = seed.standsFor
    entry[Self.entityTagKey] = seed.origin?.entityTag
    entry[Self.lastModifiedKey] = seed.origin?.lastModified
    objects.write(to: &entry)
    seeds[seed.name, default: [:]][seed.contentHash] = entry
  }

  /// An entry that comes after all others.
  private func newEntry(_ records: [String: Int], at date: Date) -> [String: Any] {
    let last = seeds.values.flatMap(\.values).compactMap { ($0[Self.orderKey] as? NSNumber)?.intValue }.max()
    return [
      Self.dateKey: date,
      Self.orderKey: NSNumber(value: max(0, min(last ?? 0, 1 << 40)) + 1),
      Self.recordsKey: records.mapValues { NSNumber(value: $0) },
    ]
  }

  // MARK: - Steps in code

  private static func name(ofStep step: String) -> String { "step " + step }

  /// The entry of a step that is code; nil if the store does not have it.
  func entry(ofStep step: String) -> Entry? { entry(name: Self.name(ofStep: step), contentHash: Self.codeHash) }

  /// Takes note of a step that is code, with the numbers of its objects by entity.
  mutating func add(step: String, objects: [String: Int], at date: Date) {
    seeds[Self.name(ofStep: step)] = [Self.codeHash: newEntry(objects, at: date)]
  }

  // MARK: - Pruned objects

  /// Removes objects that are not in the store any more from the objects of seeds, except those
  /// that were imported again.
  mutating func remove(_ pruned: [String: DigestList], besides imported: [LoadedSeed], in model: NSManagedObjectModel) {
    guard !pruned.isEmpty else { return }
    for entry in lastEntries {
      guard
        !imported.contains(where: { $0.name == entry.name && $0.address == entry.address })
      else { continue }
      var objects = objects(of: entry, in: model)
      objects.forgetCreated(pruned)
      var present = seeds[entry.name]?[entry.contentHash] ?? [:]
      objects.write(to: &present)
      seeds[entry.name]?[entry.contentHash] = present
    }
  }

  func write(to metadata: inout [String: Any]) { metadata[Self.metadataKey] = seeds }
}
