import CoreData
import Foundation
import Seeding
import Texts

/// The summary of a store for `inspect`.
struct StoreSummary {
  private let store: StoreLocation
  private let metadata: [String: Any]
  /// The origin of the model, as a text or a path; nil without a model.
  private let modelPlace: String?
  /// The number of objects by entity name; nil without a model.
  private let counts: [String: Int]?

  init(of store: StoreLocation, model: String?) throws {
    self.store = store
    metadata = try ClosedStore.metadata(of: store)
    let modelPath = model ?? ModelSearch.adjacent(to: store, metadata: metadata)?.path
    modelPlace = modelPath ?? Self.placeInStore(store, metadata: metadata)
    counts = try modelPlace.map { _ in try OpenedStore.reading(store, model: modelPath, Self.count) }
  }

  private static func placeInStore(_ store: StoreLocation, metadata: [String: Any]) -> String? {
    if CachedModel.read(store, options: [:], metadata: metadata) != nil { return "in the store" }
    return CachedModel.reduced(store).map { _ in "none; its tables alone tell of the entities" }
  }

  /// Counts the objects of each entity, without those of its subentities.
  private static func count(_ opened: OpenedStore) throws -> [String: Int] {
    try opened.requireAllRows()
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = opened.coordinator
    return try context.performAndWait {
      try opened.model.entitiesByName.keys.reduce(into: [:]) { counts, name in
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        counts[name] = try context.count(for: request)
      }
    }
  }

  var text: String {
    ([storeLines, entityLines, seedLines, metadataLines].filter { !$0.isEmpty })
      .map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  private var storeLines: [String] {
    [
      "store     \(store)",
      "type      \(metadata[NSStoreTypeKey] as? String ?? "unknown")",
      "identity  \(metadata[NSStoreUUIDKey] as? String ?? "none")",
      "model     \(modelPlace ?? "not found next to the store or in it; objects are counted when --model gives it")",
    ].map(Self.line)
  }

  private var entityLines: [String] {
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let names = Set(hashes.keys).union(counts?.keys ?? [:].keys).sorted()
    let rows = names.map { name -> [ResultValue] in
      let hash = hashes[name].map { $0.prefix(8).map(Self.hexadecimal).joined() + "..." }
      let count = counts.map { ResultValue.integer(Int64($0[name] ?? 0)) }
      return [.text(name)] + (count.map { [$0] } ?? []) + [hash.map { .text($0) } ?? .none]
    }
    let columns = ["entity"] + (counts == nil ? [] : ["objects"]) + ["version hash"]
    return Self.table(columns, rows: rows)
  }

  private var seedLines: [String] {
    let entries = SeedLedger(metadata: metadata).entries
    guard !entries.isEmpty else { return [] }
    let rows = entries.map { entry -> [ResultValue] in
      let records = entry.records.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return [
        .text(entry.name),
        entry.date.map { .date(Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down))) }
          ?? .none,
        .text(entry.contentHash == SeedLedger.codeHash ? "code" : entry.contentHash.prefix(16) + "..."),
        .text(records.joined(separator: ", ")),
      ]
    }
    return Self.table(["seed", "taken in", "SHA-256", "records"], rows: rows)
  }

  private static func table(_ columns: [String], rows: [[ResultValue]]) -> [String] {
    TextTable.lines(ResultTable(columns: columns, rows: rows), width: Terminal.columns(of: STDOUT_FILENO))
  }

  /// The metadata that the other lines do not show.
  private var metadataLines: [String] {
    let shown: Set = [NSStoreTypeKey, NSStoreUUIDKey, NSStoreModelVersionHashesKey, SeedLedger.metadataKey]
    return metadata.filter { !shown.contains($0.key) }
      .map { Self.line("\($0.key): \($0.value)") }
      .sorted()
  }

  private static func line(_ text: String) -> String { VisibleText(line: text, atMost: longestLine).description }

  /// The longest line, in characters, because metadata may be of any size.
  private static let longestLine = 1000

  private static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
