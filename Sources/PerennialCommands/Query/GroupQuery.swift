import CoreData
import Foundation
import Seeding

/// The query of `fetch --group-by`: a row for each group of objects with equal values.
struct GroupQuery: StoreQuery {
  let objects: ObjectQuery
  /// The key paths by which objects are grouped.
  let groupBy: [String]

  /// Fetches the values of the groups, and the functions over their objects.
  func run(in coordinator: NSPersistentStoreCoordinator) throws -> ResultTable {
    let columns = try fetchedColumns
    let request = try request(for: columns)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performUncheckedAndWait {
      try context.throwingReadFailures {
        var reader = ResultReader()
        let found = try context.fetch(request)
        // The context itself does not retain the objects.
        return try withExtendedLifetime(groupObjects(of: columns, in: found, context: context)) {
          let rows = found.map { row in columns.map { $0.value(in: row, context: context, reader: &reader) } }
          return ResultTable(columns: columns.map(\.name), rows: rows)
        }
      }
    }
  }

  /// Fetches the objects that groups have as values, with one fetch for each entity instead of each object.
  private func groupObjects(
    of columns: [GroupColumn],
    in rows: [NSDictionary],
    context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let ids = Set(columns.flatMap { column in rows.compactMap { column.objectID(in: $0) } })
    return try Dictionary(grouping: ids, by: \.entity).flatMap { entity, ids in
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.predicate = NSPredicate(format: "SELF IN %@", ids)
      request.returnsObjectsAsFaults = false
      return try context.fetch(request)
    }
  }

  /// The number of groups, after limit and offset.
  func count(in coordinator: NSPersistentStoreCoordinator) throws -> Int { try run(in: coordinator).rows.count }

  /// The explanation of how the store makes the groups, or how it finds their objects if it cannot make groups.
  func explanation(in coordinator: NSPersistentStoreCoordinator) throws -> String {
    try QueryExplanation.text(of: request(for: fetchedColumns), in: coordinator)
  }

  private var fetchedColumns: [GroupColumn] {
    get throws { try objects.columns.map { try columns($0) } ?? defaultColumns }
  }

  private func columns(_ texts: [String]) throws -> [GroupColumn] {
    try texts.enumerated().map { index, text in
      try GroupColumn(text, number: index + 1, of: objects.entity, groupBy: groupBy)
    }
  }

  /// The key paths by which objects are grouped, and the number of objects in each group.
  private var defaultColumns: [GroupColumn] {
    get throws {
      let isTaken = objects.entity.propertiesByName[GroupColumn.count] != nil
      return try columns(groupBy + [isTaken ? "count:(SELF)" : GroupColumn.count])
    }
  }

  private func request(for columns: [GroupColumn]) throws -> NSFetchRequest<NSDictionary> {
    let found = try objects.request()
    let request = NSFetchRequest<NSDictionary>(entityName: objects.entity.name ?? "")
    request.resultType = .dictionaryResultType
    request.predicate = found.predicate
    request.fetchLimit = found.fetchLimit
    request.fetchOffset = found.fetchOffset
    request.propertiesToFetch = columns.map(\.property)
    let keys = try groupBy.enumerated().map { index, key in
      let number = columns.count + 1 + index
      return try columns.first { $0.name == key }
        ?? GroupColumn(key, number: number, of: objects.entity, groupBy: groupBy)
    }
    request.propertiesToGroupBy = keys.map(\.property)
    request.sortDescriptors = try sortDescriptors(columns, keys: keys)
    return request
  }

  /// The sort order: the columns that the user gave, or else the key paths by which objects are grouped.
  private func sortDescriptors(_ columns: [GroupColumn], keys: [GroupColumn]) throws -> [NSSortDescriptor] {
    guard let sort = objects.sort?.keys else {
      return keys.filter(\.isSortable).map { NSSortDescriptor(key: $0.property.name, ascending: true) }
    }
    return try sort.map { key in
      guard let column = (columns + keys).first(where: { $0.name == key.keyPath }), column.isSortable else {
        throw CommandFailure(
          """
          --sort: groups are sorted by their columns, but objects, and "\(key.keyPath)" is none of those; the columns \
          are \(columns.map(\.name).joined(separator: ", "))
          """
        )
      }
      return NSSortDescriptor(key: column.property.name, ascending: key.isAscending)
    }
  }
}
