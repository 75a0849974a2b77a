import CoreData

/// The place where the records of a run go: the one save of a context, or a transaction of the store.
protocol SeedDestination {
  /// The number of records up to which they are written as a whole. More of them may go in piece by piece.
  var mostRecordsAtOnce: Int { get }

  /// Has a context filled and saves it, with the store's ledger in the same save.
  ///
  /// - Parameter write: Called once, on the context's queue, with the store's current ledger.
  /// - Returns: The report of the written seeds.
  /// - Throws: The errors of `write`, and those of saving, in a seed's terms. Nothing of the seeds
  ///   is in the store then.
  func save(_ write: (NSManagedObjectContext, SeedLedger) throws -> WrittenSeeds) throws -> SeedReport
}

/// The outcome of writing a run's records in a context.
struct WrittenRecords {
  let counts: [String: SeedReport.Counts]
  /// The digests of the natural keys of deleted objects, by entity.
  let pruned: [String: DigestList]
  /// The error to throw for an error of saving. Called on the context's queue.
  let failure: (any Error) -> any Error
}

/// The outcome of a run in a context that is to be saved.
struct WrittenSeeds {
  /// The store's ledger with the seeds; nil if there is nothing to save.
  let ledger: SeedLedger?
  let author: SeedAuthor
  let report: SeedReport
  /// The error to throw for an error of saving. Called on the context's queue.
  let failure: (any Error) -> any Error

  /// Nothing to write, because another process has imported all of the seeds in the meantime.
  static func nothing(_ report: SeedReport) -> WrittenSeeds {
    WrittenSeeds(ledger: nil, author: SeedAuthor([]), report: report) { $0 }
  }
}

/// The author and the context that the persistent history names for the changes of a run: the seeds
/// by their names as the author, and the library as the context.
struct SeedAuthor {
  /// The largest number of characters of the names in a message.
  private static let mostCharacters = 200

  private static let contextName = "Seeder"

  private let name: String

  init(_ seeds: [LoadedSeed]) { self.init(seeds.map(\.name).joined(separator: ", ")) }

  init(_ names: String) { name = names.count > Self.mostCharacters ? names.prefix(Self.mostCharacters) + "…" : names }

  /// Signs all saves of a context that is used for a run alone.
  func sign(_ context: NSManagedObjectContext) {
    context.name = Self.contextName
    context.transactionAuthor = name
  }

  /// Signs one save of a context that is used for other things too, and has no changes but the run's.
  func signing(_ context: NSManagedObjectContext, _ save: () throws -> Void) rethrows {
    let (contextName, author) = (context.name, context.transactionAuthor)
    sign(context)
    defer { (context.name, context.transactionAuthor) = (contextName, author) }
    try save()
  }
}
