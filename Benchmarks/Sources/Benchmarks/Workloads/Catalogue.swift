import Foundation

/// All workloads, by the names that the arguments use.
struct Catalogue {
  private static let rows = 200_000
  private static let changes = 50_000
  private static let million = 1_000_000

  let files: SampleFiles
  let mappers: PythonMappers?
  /// The command `perennial`; `nil` for the one next to this program.
  let command: URL?

  /// A workload that is made only when it runs.
  struct Entry {
    let name: String
    /// True if a run fails when the workload misses a bound.
    var failsOnMiss = false
    let make: () throws -> Workload
  }

  var entries: [Entry] { objects + finding + relationships + requests + stores + whole }

  /// Workloads that fetch, insert, change and delete objects.
  private var objects: [Entry] {
    let fetched = SampleWorkloads(files: files, count: Self.rows, mappers: mappers)
    let changed = SampleWorkloads(files: files, count: Self.changes, mappers: mappers)
    return [
      Entry(name: "fetch", make: fetched.fetch),
      Entry(name: "mixed") { try MixedWorkload.make(files, count: Self.rows) },
      Entry(name: "insert", make: changed.insert), Entry(name: "change", make: changed.change),
      Entry(name: "delete", make: changed.delete),
    ]
  }

  /// Workloads that find single objects or a few of many.
  private var finding: [Entry] {
    let keys = KeyWorkloads(files: files, rows: Self.rows, mappers: mappers)
    let predicates = PredicateWorkloads(files: files, mappers: mappers)
    let results = ResultsWorkloads(files: files, rows: Self.rows)
    let observed = ObservedFetchWorkload(files: files, rows: Self.rows)
    return [
      Entry(name: "key", make: keys.byKey), Entry(name: "registered", make: keys.registered),
      Entry(name: "save", make: keys.saveOne), Entry(name: "indexed", make: predicates.indexed),
      Entry(name: "parse", make: predicates.parse), Entry(name: "filter", make: predicates.filter),
      Entry(name: "results", make: results.insertIntoResults),
      Entry(name: "batches", make: results.firstOfMany), Entry(name: "observed", make: observed.latency),
      Entry(name: "observed-memory", make: observed.memory),
    ]
  }

  private var relationships: [Entry] {
    let walks = WalkWorkloads(files: files)
    return [
      Entry(name: "prefetched", make: walks.prefetched), Entry(name: "walk", make: walks.oneByOne),
      Entry(name: "child", make: ChildSaveWorkload.make),
    ]
  }

  /// Requests that make no objects or very many.
  private var requests: [Entry] {
    let batches = BatchWorkloads(files: files, count: Self.changes)
    let rows = RowWorkloads(files: files, rows: Self.rows)
    return [
      Entry(name: "batch-insert-objects", make: batches.insertObjects),
      Entry(name: "batch-insert-dictionaries", make: batches.insertDictionaries),
      Entry(name: "batch-update", make: batches.update), Entry(name: "batch-delete", make: batches.delete),
      Entry(name: "dictionaries", make: rows.dictionaries), Entry(name: "rows", make: rows.values),
      Entry(name: "groups") { try GroupWorkload.make(files) },
    ]
  }

  /// Workloads that open, follow, migrate and share stores.
  private var stores: [Entry] {
    let history = HistoryWorkloads(files: files, count: Self.changes)
    return [
      Entry(name: "open") { try OpeningWorkload.make(files) },
      Entry(name: "requests") { RequestWorkload.make(files) },
      Entry(name: "history", make: history.insert), Entry(name: "history-change", make: history.change),
      Entry(name: "readers", make: ReaderWorkload(files: files, rows: Self.rows).make),
      Entry(name: "migration") {
        try IsolatedWorkload(work: .migration, count: Self.million).make(files)
      },
    ]
  }

  /// Workloads that run whole programs or measure the memory of one.
  private var whole: [Entry] {
    [
      Entry(name: "memory") { try IsolatedWorkload(work: .memory, count: Self.million).make(files) },
      Entry(name: "seeding") { try SeedingWorkload.make(files, notes: Self.million) },
      Entry(name: "command") { try CommandWorkload.make(files, command: command) },
      Entry(name: "growth", failsOnMiss: true) { try GrowthWorkload.make(files, command: command) },
    ]
  }
}
