import ArgumentParser
import CoreData
import Foundation

/// `perennial fetch STORE ENTITY --where PREDICATE --sort KEY --limit N --group-by KEY --count
/// --explain --format table|json|csv`
struct FetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Print the objects of an entity.",
    discussion: """
      Relationships are shown by the natural keys of the objects they lead to. The model is looked for next to the \
      store and in it when none is given.
      """
  )

  @Argument(help: "The store: a file, or postgresql://….") var store: StoreLocation
  @Argument(help: "The entity, by its name or plural.", completion: .entities) var entity: String

  @Option(help: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.", completion: .modelFiles)
  var model: String?

  @Option(
    name: .customLong("where"),
    help: """
      A predicate, such as 'ANY tags.name == "News"' or 'createdAt > "2024-10-01"': a text that is compared with a date \
      is read as ISO 8601.
      """,
    completion: .predicates
  )
  var predicate: String?

  @Option(
    help: """
      A key path to sort by, with :desc for descending order, as in createdAt:desc; several are separated by commas.
      """,
    completion: .keyPaths
  )
  var sort: SortKeys?

  @Option(help: "The largest number of objects.") var limit: Int?
  @Option(help: "How many objects to leave out at the beginning.") var offset: Int?

  @Option(
    help: """
      The key paths to show, separated by commas; all of the entity's properties unless given. With --group-by also \
      functions over a group, such as 'count:(title), max:(createdAt)'.
      """,
    completion: .keyPaths
  )
  var columns: ExpressionList?

  @Option(
    help: "The key paths whose values make groups, separated by commas: one row is printed for each group.",
    completion: .keyPaths
  )
  var groupBy: ExpressionList?

  @Option(help: "The form in which the objects are printed.") var format: OutputFormat = .table

  @Flag(
    help: """
      Print values in tables and CSV as they are: with control characters, and texts that programs for tables take for \
      formulas.
      """
  )
  var raw = false

  @Flag(help: "Print how many objects there are, or groups, and nothing else.") var count = false

  @Flag(help: "Print the SQL of the fetch and SQLite's query plan in place of the objects.")
  var explain = false

  @OptionGroup(title: "Log") var logging: LogOptions

  func validate() throws {
    if count && explain { throw ValidationError("--count and --explain exclude each other.") }
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1.") }
    if let offset, offset < 0 { throw ValidationError("--offset takes a number from 0.") }
  }

  func run() throws {
    try CommandFailure.reporting(logging) {
      try OpenedStore.reading(store, model: model) { try show(query(in: $0.model), in: $0.coordinator) }
    }
  }

  private func query(in model: NSManagedObjectModel) throws -> any StoreQuery {
    let query = ObjectQuery(
      entity: try EntityLookup.entity(entity, in: model),
      predicate: predicate,
      sort: sort,
      limit: limit,
      offset: offset,
      columns: columns?.parts
    )
    return groupBy.map { GroupQuery(objects: query, groupBy: $0.parts) } ?? query
  }

  private func show(_ query: any StoreQuery, in coordinator: NSPersistentStoreCoordinator) throws {
    if count { return print(try query.count(in: coordinator)) }
    if explain { return print(try query.explanation(in: coordinator), terminator: "") }
    printExactly(try format.text(try query.run(in: coordinator), isRaw: raw))
  }
}
