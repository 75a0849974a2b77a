import CoreData
import Foundation
import GRDB
import Samples

/// Measures, in one run and on the same files, what the object graph costs over SQLite's C API.
///
/// Arguments name the workloads to be measured; all are when there are none. `--chart FILE` writes the figures as an
/// SVG as well.
@main
enum Benchmarks {
  static let rows = 200_000
  static let changes = 50_000

  static func main() async throws {
    var wanted = Array(CommandLine.arguments.dropFirst())
    let chart = FigureChart(takingFileFrom: &wanted)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "benchmarks-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = SampleFiles(folder: folder)
    let url = try files.make(rows: rows)
    let workloads: [(name: String, measure: () throws -> Workload)] = [
      ("fetch", { try fetching(url) }), ("insert", { try insertion(files) }),
      ("update", { try update(files) }),
      ("delete", { try deletion(files) }), ("key", { try byKey(url) }), ("registered", { try lookUp(url) }),
      ("save", { try saveOne(files.make(rows: rows)) }), ("results", { try insertIntoResults(url) }),
      ("batches", { try firstOfMany(url) }), ("dictionaries", { try dictionaries(url) }),
      ("groups", { try grouping(files) }),
      ("parse", { try PredicateBenchmarks.parsing(files) }),
      ("indexed", { try PredicateBenchmarks.indexed(files) }),
      ("filter", { try PredicateBenchmarks.filtering(files) }),
      ("batch-insert", { try batchInsertion(files) }), ("batch-update", { try batchUpdate(files) }),
      ("batch-delete", { try batchDeletion(files) }),
      ("prefetched", { try prefetchedWalk(NoteStore.make(files, count: notes)) }),
      ("walk", { try singleWalk(NoteStore.make(files, count: notes)) }), ("child", { try childSave() }),
      ("open", { try opening(files) }), ("requests", { try requests(files) }),
    ]
    let others: [(name: String, show: () async throws -> Void)] = [
      ("readers", { try ConcurrencyBenchmark.show(url) }), ("memory", { try MemoryBenchmark.show(files) }),
      ("servers", { try await ServerPatterns.show(NoteStore.make(files, count: ServerPatterns.notes)) }),
    ]
    let names = wanted
    let isWanted = { (name: String) in names.isEmpty || names.contains(name) }
    var measured: [Workload] = []
    for workload in workloads where isWanted(workload.name) {
      measured.append(try workload.measure())
      measured.last?.show()
      // What has been measured is there when a later workload fails.
      try chart?.write(measured)
    }
    for other in others where isWanted(other.name) { try await other.show() }
  }

  static func fetching(_ url: URL) throws -> Workload {
    let raw = try RawSQLite(url.path)
    let expected = try raw.readAll()
    var workload = Workload(
      name: "fetch \(rows) objects of 10 integers, and read all",
      raw: try Stopwatch.best { _ = try raw.readAll() }
    )
    let queue = try DatabaseQueue(path: url.path)
    let record = try Stopwatch.best {
      let sum = try queue.read { try SampleRecord.fetchAll($0) }.reduce(0) { $0 &+ $1.sum }
      precondition(sum == expected)
    }
    workload.entries.append(("GRDB Record", record, nil))
    let store = try SampleStore(url)
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    let typed = try Stopwatch.best {
      let context = store.context()
      let sum = try context.fetch(request).reduce(0) { $0 &+ $1.sum }
      precondition(sum == expected)
    }
    workload.entries.append(("managed objects, accessors", typed, 3))
    let keys = try Stopwatch.best {
      let context = store.context()
      let sum = try context.fetch(request).reduce(0) { $0 &+ $1.sumByKeys }
      precondition(sum == expected)
    }
    workload.entries.append(("managed objects, value(forKey:)", keys, 7))
    let faults = try Stopwatch.best {
      let context = store.context()
      let count = try context.fetch(request).count
      precondition(count == rows)
    }
    workload.entries.append(("managed objects, none read", faults, 2.5))
    return workload
  }

  static func insertion(_ files: SampleFiles) throws -> Workload {
    var workload = Workload(
      name: "insert \(changes) objects, one save",
      raw: try Stopwatch.best(prepare: { try RawSQLite(files.make(rows: 0).path) }) { try $0.insert(changes) }
    )
    let record = try Stopwatch.best(prepare: { try DatabaseQueue(path: files.make(rows: 0).path) }) { queue in
      try queue.write { database in
        for row in 0..<changes { try SampleRecord(row: row).insert(database) }
      }
    }
    workload.entries.append(("GRDB Record", record, nil))
    let objects = try Stopwatch.best(prepare: { try SampleStore(files.make(rows: 0)) }) { store in
      let context = store.context()
      for row in 0..<changes { Sample(context: context).fill(row) }
      try context.save()
    }
    workload.entries.append(("managed objects", objects, 5))
    return workload
  }

  static func update(_ files: SampleFiles) throws -> Workload {
    var workload = Workload(
      name: "change one attribute in \(changes) fetched objects, save",
      raw: try Stopwatch.best(prepare: { try RawSQLite(files.make(rows: changes).path) }) {
        try $0.update(changes)
      }
    )
    let objects = try Stopwatch.best(prepare: { try files.fetched(changes) }) { context, samples in
      for (row, sample) in samples.enumerated() { sample.a0 = Int64(row + 7) }
      try context.save()
    }
    workload.entries.append(("managed objects", objects, 5))
    return workload
  }

  static func deletion(_ files: SampleFiles) throws -> Workload {
    var workload = Workload(
      name: "delete \(changes) fetched objects, save",
      raw: try Stopwatch.best(prepare: { try RawSQLite(files.make(rows: changes).path) }) {
        try $0.delete(changes)
      }
    )
    let objects = try Stopwatch.best(prepare: { try files.fetched(changes) }) { context, samples in
      for sample in samples { context.delete(sample) }
      try context.save()
    }
    workload.entries.append(("managed objects", objects, 4))
    return workload
  }

  static func byKey(_ url: URL) throws -> Workload {
    let count = 10_000
    let keys = (0..<count).map { Int64($0 * 19 % rows + 1) }
    let raw = try RawSQLite(url.path)
    var workload = Workload(
      name: "fetch one by primary key, not registered, \(count) times",
      raw: try Stopwatch.best { _ = try raw.readByKey(keys) }
    )
    let store = try SampleStore(url)
    let ids = try objectIDs(store, keys)
    let objects = try Stopwatch.best {
      let context = store.context()
      var sum: Int64 = 0
      for id in ids { sum &+= (try context.existingObject(with: id) as? Sample)?.sum ?? 0 }
      precondition(sum != 0)
    }
    workload.entries.append(("existingObject(with:)", objects, 3))
    return workload
  }

  static func lookUp(_ url: URL) throws -> Workload {
    let count = 100_000
    let store = try SampleStore(url)
    let context = store.context()
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    request.fetchLimit = count
    let samples = try context.fetch(request)
    let ids = samples.map(\.objectID)
    var dictionary: [Int64: AnyObject] = [:]
    for (index, sample) in samples.enumerated() { dictionary[Int64(index)] = sample }
    var workload = Workload(
      name: "existingObject(with:) for a registered object, \(count) times; raw is [Int64: AnyObject]",
      raw: try Stopwatch.best {
        for index in 0..<count { precondition(dictionary[Int64(index)] != nil) }
      }
    )
    let objects = try Stopwatch.best {
      for id in ids { _ = try context.existingObject(with: id) }
    }
    workload.entries.append(("existingObject(with:)", objects, 6))
    return workload
  }

  static func saveOne(_ url: URL) throws -> Workload {
    let count = 100
    let store = try SampleStore(url)
    let context = store.context()
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    request.fetchLimit = 100_000
    let samples = try context.fetch(request)
    let raw = try RawSQLite(url.path)
    var workload = Workload(
      name: "save one changed object of 100000 registered, \(count) times",
      raw: try Stopwatch.best {
        for row in 0..<count {
          try raw.execute("UPDATE ZSAMPLE SET ZA0 = \(row), Z_OPT = Z_OPT + 1 WHERE Z_PK = \(150_000 + row)")
        }
      }
    )
    var value: Int64 = 0
    let objects = try Stopwatch.best {
      for index in 0..<count {
        value += 1
        samples[index].a0 = value
        try context.save()
      }
    }
    workload.entries.append(("managed objects", objects, 3))
    return workload
  }

  private static func objectIDs(_ store: SampleStore, _ keys: [Int64]) throws -> [NSManagedObjectID] {
    let identifier = store.coordinator.persistentStores[0].identifier ?? ""
    return keys.compactMap { key in
      URL(string: "x-coredata://\(identifier)/Sample/p\(key)")
        .flatMap(store.coordinator.managedObjectID(forURIRepresentation:))
    }
  }
}

/// Stores of samples: each made once, and copied for each use that changes it.
final class SampleFiles {
  private let folder: URL
  private var made: [Int: URL] = [:]
  private var count = 0

  init(folder: URL) { self.folder = folder }

  func make(rows: Int) throws -> URL {
    if made[rows] == nil {
      let url = folder.appendingPathComponent("of-\(rows).sqlite")
      try SampleStore.fill(url, count: rows)
      try RawSQLite(url.path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
      made[rows] = url
    }
    guard let original = made[rows] else { return folder }
    count += 1
    let copy = folder.appendingPathComponent("copy-\(count).sqlite")
    try FileManager.default.copyItem(at: original, to: copy)
    return copy
  }

  /// Where a store of another model can be made.
  func emptyFile() -> URL {
    count += 1
    return folder.appendingPathComponent("other-\(count).sqlite")
  }

  func fetched(_ count: Int) throws -> (NSManagedObjectContext, [Sample]) {
    let context = try SampleStore(make(rows: count)).context()
    let samples = try context.fetch(NSFetchRequest<Sample>(entityName: "Sample"))
    precondition(samples.count == count)
    return (context, samples)
  }
}
