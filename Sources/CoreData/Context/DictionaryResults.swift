import Foundation
import Predicates

/// The dictionaries that a fetch comes back with: one for each object, for each group of objects, or for all of them.
///
/// Rules from Apple's documentation of `NSFetchRequest`: columns that are computed from many objects (`max:`, `count:` and
/// the like) make one dictionary of each group, or of all objects where nothing is grouped; other columns of a grouped
/// fetch have to be among those that it is grouped by.
struct DictionaryResults {
  private struct Column {
    var name: String
    var value: ExpressionEvaluator
    /// Whether the value is that of many objects together.
    var isAggregate = false
  }

  private let columns: [Column]
  private let groupColumns: [Column]
  private let groups: Bool
  private let condition: PredicateEvaluator?
  private let isDistinct: Bool

  init(_ request: some AnyFetchRequest, _ entity: NSEntityDescription) throws {
    let reader = ColumnReader(entity: entity)
    columns = try (request.propertiesToFetch ?? entity.allAttributes).map(reader.column)
    groupColumns = try (request.propertiesToGroupBy ?? []).map(reader.column)
    groups = !groupColumns.isEmpty || columns.contains(where: \.isAggregate)
    condition = try request.havingPredicate.map { try PredicateEvaluator($0) }
    isDistinct = request.returnsDistinctResults
    let names = Set(groupColumns.map(\.name))
    if let loose = columns.first(where: { !$0.isAggregate && !names.contains($0.name) }), !names.isEmpty {
      throw reader.failure(
        "fetches \(loose.name), which is not in propertiesToGroupBy; group by it, or fetch a value of the group"
      )
    }
    if condition != nil, names.isEmpty {
      throw reader.failure(
        "has a havingPredicate, and nothing in propertiesToGroupBy; use predicate for objects"
      )
    }
  }

  /// Whether there may be fewer dictionaries than objects, so that limit and offset are those of the dictionaries.
  var combinesObjects: Bool { groups || isDistinct }

  /// The dictionaries, in the order in which their objects come.
  func rows(of objects: [NSManagedObject]) throws -> [NSDictionary] {
    let rows =
      groups ? try grouped(objects).map { try row(of: $0) } : try objects.map { try row(of: [$0]) }
    guard isDistinct else { return rows }
    var known: Set<NSDictionary> = []
    return rows.filter { known.insert($0).inserted }
  }

  private func grouped(_ objects: [NSManagedObject]) throws -> [[NSManagedObject]] {
    if groupColumns.isEmpty { return [objects] }
    var places: [NSArray: Int] = [:]
    var groups: [[NSManagedObject]] = []
    for object in objects {
      let key = NSArray(array: try groupColumns.map { try Self.value(of: $0, in: [object]) ?? NSNull() })
      if let place = places[key] {
        groups[place].append(object)
      } else {
        places[key] = groups.count
        groups.append([object])
      }
    }
    return try groups.filter { group in try condition?(GroupValues(group, try names(of: group))) ?? true }
  }

  /// The values of a group that have a name of their own, for the condition on it.
  private func names(of group: [NSManagedObject]) throws -> [String: Any?] {
    var values: [String: Any?] = [:]
    for column in groupColumns + columns.filter(\.isAggregate) {
      values[column.name] = .some(try Self.value(of: column, in: group))
    }
    return values
  }

  private func row(of group: [NSManagedObject]) throws -> NSDictionary {
    let row = NSMutableDictionary()
    for column in columns {
      if let value = try Self.value(of: column, in: group) { row[column.name] = value }
    }
    return row
  }

  private static func value(of column: Column, in group: [NSManagedObject]) throws -> Any? {
    let value = try column.isAggregate ? column.value(group) : group.first.flatMap { try column.value($0) }
    // A relationship is shown by what names its object.
    if let object = value as? NSManagedObject { return object.objectID }
    return value.flatMap { $0 is NSNull ? nil : NumberBoxing.box($0) }
  }

  // MARK: - Columns

  private struct ColumnReader {
    let entity: NSEntityDescription

    func column(_ property: Any) throws -> Column {
      switch property {
      case let path as String:
        guard isKnown(path) else { break }
        return Column(name: path, value: try ExpressionEvaluator(NSExpression(forKeyPath: path)))
      case let computed as NSExpressionDescription:
        guard let expression = computed.expression else {
          throw failure("computes \(computed.name), which has no expression; set it")
        }
        return Column(
          name: computed.name,
          value: try ExpressionEvaluator(expression),
          isAggregate: isAggregate(expression)
        )
      case let property as NSPropertyDescription:
        return try column(property.name)
      default: break
      }
      throw failure(
        "names \(property), which it does not have; name attributes, relationships to one or expressions"
      )
    }

    func failure(_ problem: String) -> any Error {
      CocoaError.coreData(
        NSPersistentStoreOperationError,
        "a fetch request for the entity \(entity.name ?? "") \(problem)."
      )
    }

    private func isKnown(_ path: String) -> Bool {
      var current: NSEntityDescription? = entity
      for key in path.split(separator: ".") {
        guard let property = current?.allPropertiesByName[String(key)] else { return false }
        let relationship = property as? NSRelationshipDescription
        if relationship?.isToMany == true { return false }
        current = relationship?.destinationEntity
      }
      return !path.isEmpty
    }

    private static let aggregates: Set = [
      "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
    ]

    /// Whether an expression is about many objects: `max:(rating)` is, and `count:(tags)` is about one object's tags.
    private func isAggregate(_ expression: NSExpression) -> Bool {
      guard case .function(let name, let operand, let arguments) = expression.node else { return false }
      let parts = arguments + (operand.map { [$0] } ?? [])
      let isOverObjects = parts.allSatisfy { part in
        switch part.node {
        case .keyPath(let path): isKnown(path)
        case .evaluatedObject: true
        default: false
        }
      }
      return Self.aggregates.contains(name) && isOverObjects || parts.contains(where: isAggregate)
    }
  }
}

/// A group of objects as a condition on it sees it: names have the value of the group, other keys those of its objects.
private final class GroupValues: KeyValueCoding {
  private let objects: [NSManagedObject]
  private let values: [String: Any?]

  init(_ objects: [NSManagedObject], _ values: [String: Any?]) {
    self.objects = objects
    self.values = values
  }

  func value(forKey key: String) -> Any? {
    if let value = values[key] { return value }
    return step(to: key) ?? objects.map { $0.value(forKey: key) ?? NSNull() }
  }

  func checkedValue(forKey key: String) throws -> Any? {
    if let value = values[key] { return value }
    return try step(to: key) ?? objects.map { try $0.checkedValue(forKey: key) ?? NSNull() }
  }

  /// The group at the end of a relationship, where names are key paths through it.
  private func step(to key: String) -> GroupValues? {
    let names = values.filter { $0.key.hasPrefix("\(key).") }
    if names.isEmpty { return nil }
    let rest = Dictionary(
      uniqueKeysWithValues: names.map { (String($0.key.dropFirst(key.count + 1)), $0.value) }
    )
    return GroupValues(objects.compactMap { $0.value(forKey: key) as? NSManagedObject }, rest)
  }
}
