import CoreData

/// The author and the context that the persistent history names for the changes of a run: the seeds
/// by their names as the author, and the library as the context.
struct SeedAuthor {
  /// So many characters of names are told.
  private static let mostCharacters = 200

  private static let contextName = "Seeder"

  private let name: String

  init(_ seeds: [LoadedSeed]) {
    let names = seeds.map(\.name).joined(separator: ", ")
    name = names.count > Self.mostCharacters ? names.prefix(Self.mostCharacters) + "…" : names
  }

  /// Signs all saves of a context that is used for a run alone.
  func sign(_ context: NSManagedObjectContext) {
    context.name = Self.contextName
    context.transactionAuthor = name
  }

  /// Signs one save of a context that is used for other things too, and has no changes but the
  /// run's.
  func signing(_ context: NSManagedObjectContext, _ save: () throws -> Void) rethrows {
    let (contextName, author) = (context.name, context.transactionAuthor)
    sign(context)
    defer { (context.name, context.transactionAuthor) = (contextName, author) }
    try save()
  }
}
