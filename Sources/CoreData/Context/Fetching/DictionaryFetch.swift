import Foundation
import Predicates

/// Makes the dictionaries of a fetch of its objects: their values, or those of the groups that they
/// make.
struct DictionaryFetch {
  /// The query that the stores are asked. It has no limit and no offset where objects make groups
  /// or equal dictionaries come once: they count groups and dictionaries then.
  let query: FetchQuery
  /// Makes the dictionaries of rows, where that needs no objects.
  let ofRows: RowDictionaries?
  private let columns: [DictionaryColumn]
  private let groupColumns: [DictionaryColumn]
  private let having: GroupPredicate?
  private let isGrouped: Bool
  private let isDistinct: Bool
  private let wanted: FetchQuery
  /// The order of groups by what they have; by all else their objects are sorted before, and groups
  /// come in the order of their first objects.
  private let groupOrder: [NSSortDescriptor]

  /// - Throws: an error that names the property that the entity does not have.
  init(_ request: some AnyFetchRequest, entity: NSEntityDescription) throws {
    let columns = try (request.propertiesToFetch ?? entity.allAttributes).map {
      try DictionaryColumn($0, entity: entity)
    }
    self.columns = columns
    groupColumns = try (request.propertiesToGroupBy ?? []).map { property in
      if let name = property as? String, let column = columns.first(where: { $0.name == name }) {
        return column
      }
      return try DictionaryColumn(property, entity: entity)
    }
    having = try request.havingPredicate.map(GroupPredicate.init)
    isGrouped = !groupColumns.isEmpty || columns.contains(where: \.isAggregate)
    isDistinct = request.returnsDistinctResults
    ofRows =
      isGrouped || isDistinct || columns.contains { !$0.isProperty }
      ? nil : RowDictionaries(names: columns.map(\.name), entity: entity)
    wanted = try request.query(for: entity)
    var query = wanted
    query.includesRows = true
    if isGrouped || isDistinct {
      query.limit = 0
      query.offset = 0
    }
    let names = isGrouped ? Set((columns + groupColumns).map(\.name)) : []
    groupOrder = query.sortDescriptors.filter { $0.key.map(names.contains) == true }
    query.sortDescriptors.removeAll { $0.key.map(names.contains) == true }
    self.query = query
    try checkGroups()
  }

  /// A group has one value of what it is made by, and of functions over its objects, and many of
  /// all else.
  private func checkGroups() throws {
    if having != nil, groupColumns.isEmpty {
      throw CocoaError.coreData(
        NSPersistentStoreOperationError,
        """
        a fetch request has a havingPredicate and nothing in propertiesToGroupBy; set the properties that make the \
        groups.
        """
      )
    }
    if groupColumns.isEmpty { return }
    let names = Set(groupColumns.map(\.name))
    if let column = columns.first(where: { !$0.isAggregate && !names.contains($0.name) }) {
      throw CocoaError.coreData(
        NSPersistentStoreOperationError,
        """
        a fetch request that groups fetches \(column.name), which is not in propertiesToGroupBy and no function over the \
        objects of a group; put it there, or fetch such a function of it.
        """
      )
    }
  }

  /// The dictionaries of what the query found.
  func results(_ objects: [NSManagedObject]) throws -> [NSDictionary] {
    let rows = isGrouped ? try grouped(objects) : try objects.map { try values([$0], columns) }
    guard isGrouped || isDistinct else { return rows.map(dictionary) }
    let rest = (isDistinct ? distinct(rows) : rows).dropFirst(wanted.offset)
    return (wanted.limit == 0 ? rest : rest.prefix(wanted.limit)).map(dictionary)
  }

  /// The values of the columns, for each group that is wanted.
  private func grouped(_ objects: [NSManagedObject]) throws -> [[DictionaryValue]] {
    var groups: [GroupRow] = []
    for group in try self.groups(objects) {
      var named: [String: Any] = [:]
      let row = try values(group, columns)
      for (column, value) in zip(groupColumns, try values(group, groupColumns)) {
        named[column.name] = value.value
      }
      for (column, value) in zip(columns, row) { named[column.name] = value.value }
      if let having, try !having.holds(NSDictionary(dictionary: named), group) { continue }
      groups.append(GroupRow(values: named, row: row))
    }
    return try Sorter(groupOrder).sorted(groups).map(\.row)
  }

  /// The objects with the same values, in the order in which groups begin. Without properties to
  /// group by, all are one.
  private func groups(_ objects: [NSManagedObject]) throws -> [[NSManagedObject]] {
    if groupColumns.isEmpty { return [objects] }
    var groups: [[NSManagedObject]] = []
    var indexes: [[DictionaryValue]: Int] = [:]
    for object in objects {
      let key = try values([object], groupColumns)
      let index = indexes[key] ?? groups.count
      if index == groups.count {
        indexes[key] = index
        groups.append([])
      }
      groups[index].append(object)
    }
    return groups
  }

  /// The values of columns, `NSNull` where there is none.
  private func values(_ group: [NSManagedObject], _ columns: [DictionaryColumn]) throws -> [DictionaryValue] {
    try columns.map { DictionaryValue(try $0.value(of: group)) }
  }

  private func dictionary(_ row: [DictionaryValue]) -> NSDictionary {
    var result: [String: Any] = [:]
    for (column, value) in zip(columns, row) where !(value.value is NSNull) {
      result[column.name] = value.value
    }
    return NSDictionary(dictionary: result)
  }

  private func distinct(_ rows: [[DictionaryValue]]) -> [[DictionaryValue]] {
    var seen: Set<[DictionaryValue]> = []
    return rows.filter { seen.insert($0).inserted }
  }
}

/// A value of a dictionary, which may be no `Hashable` one: an object is then equal to itself
/// alone.
private struct DictionaryValue: Hashable {
  /// `NSNull` for none.
  let value: Any
  private let identity: AnyHashable

  init(_ value: Any?) {
    self.value = value ?? NSNull()
    identity = self.value as? AnyHashable ?? AnyHashable(ObjectIdentifier(self.value as AnyObject))
  }

  static func == (one: DictionaryValue, other: DictionaryValue) -> Bool { one.identity == other.identity }

  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// A group as sort descriptors see it: its values by the names of properties.
private final class GroupRow: KeyValueCoding {
  let row: [DictionaryValue]
  private let values: [String: Any]

  init(values: [String: Any], row: [DictionaryValue]) {
    self.values = values
    self.row = row
  }

  func value(forKey key: String) -> Any? { values[key] }

  func checkedValue(forKey key: String) throws -> Any? { values[key].flatMap { $0 is NSNull ? nil : $0 } }
}
