import Foundation
import Predicates

/// Makes the dictionaries of a fetch from its objects, or from the groups of its objects.
struct DictionaryFetch {
  /// The query that the stores are asked. It has no limit and no offset where objects make groups
  /// or equal dictionaries come once: they count groups and dictionaries then.
  let query: FetchQuery
  /// Makes the dictionaries of rows, where that needs no objects.
  let ofRows: RowDictionaries?
  /// Makes the dictionaries from values that the stores compute, if the stores can express the request.
  let ofGroups: GroupDictionaries?
  private let parts: Parts
  private let having: GroupPredicate?
  private let wanted: FetchQuery
  /// The order of groups by what they have; by all else their objects are sorted before, and groups
  /// come in the order of their first objects.
  private let groupOrder: [NSSortDescriptor]

  /// The parts of a request that make dictionaries of objects.
  struct Parts {
    let columns: [DictionaryColumn]
    let groupColumns: [DictionaryColumn]
    let having: NSPredicate?
    let isDistinct: Bool

    /// True when a dictionary is of many objects.
    var isGrouped: Bool { !groupColumns.isEmpty || columns.contains(where: \.isAggregate) }
  }

  /// - Parameter nulls: the rule for nulls of the stores that the request asks. Memory applies the
  ///   rule to what the stores cannot compute.
  /// - Throws: an error that names the property that the entity does not have.
  init(_ request: some AnyFetchRequest, entity: NSEntityDescription, nulls: NullRule = .asInMemory) throws {
    let columns = try (request.propertiesToFetch ?? entity.allAttributes).map {
      try DictionaryColumn($0, entity: entity, nulls: nulls)
    }
    let groupColumns = try (request.propertiesToGroupBy ?? []).map { property in
      if let name = property as? String, let column = columns.first(where: { $0.name == name }) {
        return column
      }
      return try DictionaryColumn(property, entity: entity, nulls: nulls)
    }
    having = try request.havingPredicate.map { try GroupPredicate($0, nulls: nulls) }
    let parts = Parts(
      columns: columns,
      groupColumns: groupColumns,
      having: request.havingPredicate,
      isDistinct: request.returnsDistinctResults
    )
    self.parts = parts
    let isOfRows = !parts.isGrouped && !parts.isDistinct && columns.allSatisfy(\.isProperty)
    ofRows = isOfRows ? RowDictionaries(names: columns.map(\.name), entity: entity) : nil
    wanted = try request.query(for: entity)
    var query = wanted
    query.includesRows = true
    if parts.isGrouped || parts.isDistinct {
      query.limit = 0
      query.offset = 0
    }
    let names = parts.isGrouped ? (columns + groupColumns).map(\.name) : []
    groupOrder = query.sortDescriptors.compactMap { descriptor in
      guard let key = descriptor.key, let index = names.firstIndex(of: key) else { return nil }
      return descriptor.withKey(GroupRow.key(of: index))
    }
    query.sortDescriptors.removeAll { $0.key.map(names.contains) == true }
    self.query = query
    ofGroups = ofRows == nil ? GroupDictionaries(parts, of: wanted) : nil
    try checkGroups()
  }

  /// A group has one value of what it is made by, and of functions over its objects, and many of all else.
  private func checkGroups() throws {
    if having != nil, parts.groupColumns.isEmpty {
      throw StoreFailure.operation(
        """
        a fetch request has a havingPredicate and nothing in propertiesToGroupBy; set the properties that make the \
        groups.
        """
      )
    }
    if parts.groupColumns.isEmpty { return }
    let names = Set(parts.groupColumns.map(\.name))
    if let column = parts.columns.first(where: { !$0.isAggregate && !names.contains($0.name) }) {
      throw StoreFailure.operation(
        """
        a fetch request that groups fetches \(column.name), which is not in propertiesToGroupBy and no function over the \
        objects of a group; put it there, or fetch such a function of it.
        """
      )
    }
  }

  /// The dictionaries of what the query found.
  func results(_ objects: [NSManagedObject]) throws -> [NSDictionary] {
    let rows = parts.isGrouped ? try grouped(objects) : try objects.map { try values([$0], columns: parts.columns) }
    guard parts.isGrouped || parts.isDistinct else { return rows.map(dictionary) }
    let rest = (parts.isDistinct ? distinct(rows) : rows).dropFirst(wanted.offset)
    return (wanted.limit == 0 ? rest : rest.prefix(wanted.limit)).map(dictionary)
  }

  /// The values of the columns, for each group that is wanted.
  private func grouped(_ objects: [NSManagedObject]) throws -> [[DictionaryValue]] {
    var groups: [GroupRow] = []
    for group in try self.groups(objects) {
      let row = try values(group, columns: parts.columns)
      let groupRow = try values(group, columns: parts.groupColumns)
      if let having {
        let named = zip(parts.groupColumns + parts.columns, groupRow + row).map { ($0.name, $1.value) }
        let dictionary = Dictionary(named, uniquingKeysWith: { $1 })
        if try !having.holds(NSDictionary(dictionary: dictionary), group: group) { continue }
      }
      groups.append(GroupRow(row: row, groupRow: groupRow))
    }
    return try Sorter(groupOrder).sorted(groups).map(\.row)
  }

  /// The objects with the same values, in the order in which groups begin. Without properties to group by, all are one.
  private func groups(_ objects: [NSManagedObject]) throws -> [[NSManagedObject]] {
    if parts.groupColumns.isEmpty { return [objects] }
    var groups: [[NSManagedObject]] = []
    var indexes: [[DictionaryValue]: Int] = [:]
    for object in objects {
      let key = try values([object], columns: parts.groupColumns)
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
  private func values(_ group: [NSManagedObject], columns: [DictionaryColumn]) throws -> [DictionaryValue] {
    try columns.map { DictionaryValue(try $0.value(of: group)) }
  }

  private func dictionary(_ row: [DictionaryValue]) -> NSDictionary {
    var result: [String: Any] = [:]
    for (column, value) in zip(parts.columns, row) where !(value.value is NSNull) { result[column.name] = value.value }
    return NSDictionary(dictionary: result)
  }

  private func distinct(_ rows: [[DictionaryValue]]) -> [[DictionaryValue]] {
    var seen: Set<[DictionaryValue]> = []
    return rows.filter { seen.insert($0).inserted }
  }
}

/// A value of a dictionary, which need not be `Hashable`: an object that is not is only equal to
/// itself. Texts are compared code by code, as predicates and databases compare them.
private struct DictionaryValue: Hashable {
  /// `NSNull` for none.
  let value: Any
  private let identity: AnyHashable

  init(_ value: Any?) {
    self.value = value ?? NSNull()
    identity =
      switch self.value {
      // One `NSNull` has another hash than the next.
      case is NSNull: AnyHashable(NoValue())
      case let text as String: AnyHashable(ExactText(text: text))
      case let value as AnyHashable: value
      case let list as [Any?]: AnyHashable(list.map { DictionaryValue($0) })
      default: AnyHashable(ExactObject(object: self.value as AnyObject))
      }
  }

  static func == (one: DictionaryValue, other: DictionaryValue) -> Bool { one.identity == other.identity }

  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// What all values that there are none of are equal to.
private struct NoValue: Hashable {}

/// An object that is equal to itself alone. It is retained, since another one may get its address.
private struct ExactObject: Hashable {
  let object: AnyObject

  static func == (one: ExactObject, other: ExactObject) -> Bool { one.object === other.object }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}

/// A text that no other spelling of its characters is equal to.
private struct ExactText: Hashable {
  let text: String

  static func == (one: ExactText, other: ExactText) -> Bool {
    TextOrder.areIdentical(one.text, second: other.text)
  }

  // Texts that are identical are equal, and those have equal hashes.
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A group for sort descriptors. Its values have keys of their own, because sort descriptors split
/// keys at each dot, and names of columns contain dots.
private final class GroupRow: KeyValueCoding {
  let row: [DictionaryValue]
  private let groupRow: [DictionaryValue]
  private static let prefix = "column"

  /// - Parameters:
  ///   - row: the values that are fetched.
  ///   - groupRow: the values that make the group.
  init(row: [DictionaryValue], groupRow: [DictionaryValue]) {
    self.row = row
    self.groupRow = groupRow
  }

  /// The key of the value at a place, counted from the first that is fetched to the last that makes the group.
  static func key(of index: Int) -> String { "\(prefix)\(index)" }

  func value(forKey key: String) -> Any? {
    guard let index = Int(key.dropFirst(Self.prefix.count)) else { return nil }
    return (index < row.count ? row[index] : groupRow[index - row.count]).value
  }

  func checkedValue(forKey key: String) throws -> Any? {
    value(forKey: key).flatMap { $0 is NSNull ? nil : $0 }
  }
}

extension NSSortDescriptor {
  /// The same order by another key.
  fileprivate func withKey(_ key: String) -> NSSortDescriptor {
    if case .custom(let comparator) = comparison {
      return NSSortDescriptor(key: key, ascending: ascending, comparator: comparator)
    }
    return NSSortDescriptor(key: key, ascending: ascending, selector: comparison.selector)
  }
}
