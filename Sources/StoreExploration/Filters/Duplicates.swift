package import CoreData
import Foundation
import Seeding
import Texts

/// Finds values that several objects of an entity have, such as a natural key that occurs twice.
///
/// The store groups the objects and does not return them. An object that lacks one of the values is in no group.
package struct Duplicates: Sendable {
  /// The greatest number of properties in a comparison.
  package static let mostProperties = 8

  /// Values that several objects share.
  package struct Group: Sendable, Hashable {
    /// The texts of the values, in the order of the properties.
    package let labels: [String]
    /// The number of objects.
    package let count: Int
    /// The text of the predicate that selects the objects; `nil` if the format language cannot spell a value.
    package let predicate: String?
  }

  /// The first groups, the largest first.
  package struct Answer: Sendable, Hashable {
    package let groups: [Group]
    /// True if there are more groups.
    package let hasMore: Bool
  }

  /// The compared properties, in the given order.
  package let properties: [String]
  private let entity: NSEntityDescription
  private let reading: StoreReading

  /// - Throws: an `ExplorationFailure` if the model does not have the entity or a property, or a store cannot
  ///   group by a property.
  package init(of entity: String, by properties: [String], in coordinator: NSPersistentStoreCoordinator)
    throws
  {
    reading = StoreReading(coordinator: coordinator)
    self.entity = try reading.entity(entity)
    self.properties = properties
    guard (1...Self.mostProperties).contains(properties.count), Set(properties).count == properties.count
    else {
      throw ExplorationFailure(
        code: .unsuitableProperty,
        problem:
          "duplicates are looked for by 1 to \(Self.mostProperties) different properties, not by \(properties.count)",
        remedy: "choose others"
      )
    }
    for name in properties {
      if let reason = try FacetSubject(name, of: self.entity).ungroupable {
        throw ExplorationFailure(
          code: .unsuitableProperty,
          problem: "a store cannot group objects by \(name): \(reason)",
          remedy: "choose another property"
        )
      }
    }
  }

  /// The properties of an entity that can be compared, by name.
  package static func properties(of entity: NSEntityDescription) -> [String] {
    entity.propertiesByName.keys.filter { name in
      guard let subject = try? FacetSubject(name, of: entity) else { return false }
      return subject.ungroupable == nil
    }
    .sorted()
  }

  /// The uniqueness constraints of an entity and its ancestors whose properties can be compared.
  package static func constraints(of entity: NSEntityDescription) -> [[String]] {
    let known = Set(properties(of: entity))
    var constraints: [[String]] = []
    var current: NSEntityDescription? = entity
    while let each = current {
      for constraint in each.uniquenessConstraints {
        let names = constraint.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }
        if !names.isEmpty, names.allSatisfy(known.contains), !constraints.contains(names) { constraints.append(names) }
      }
      current = each.superentity
    }
    return constraints
  }

  /// The first groups of more than one object, the largest first.
  ///
  /// - Throws: `tookTooLong`, or the store's error.
  package func groups(limit: Int = 100, within time: Duration) async throws -> Answer {
    let limit = min(max(limit, 1), 1_000)
    return try await reading.read(within: time, isPinned: true) { context in
      // The largest groups come first, so that no group after a group of one object can have duplicates.
      let name = countName
      let found = try context.fetch(request(limit: limit + 1)).prefix { group in
        (group[name] as? NSNumber)?.intValue ?? 0 > 1
      }
      let groups = found.prefix(limit)
      let ids = groups.flatMap { group in properties.compactMap { group[$0] as? NSManagedObjectID } }
      var namer = ObjectNames()
      let names = try namer.names(of: Set(ids), in: context)
      return Answer(groups: groups.map { self.group($0, names: names) }, hasMore: found.count > limit)
    }
  }

  /// A name for the column with the number of objects that is not the name of a property.
  private var countName: String {
    let known = entity.propertiesByName
    return ["count", "number"].first { known[$0] == nil }
      ?? (0...known.count).lazy.map { "count\($0)" }.first { known[$0] == nil } ?? "count"
  }

  private func request(limit: Int) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: entity.name ?? "")
    request.resultType = .dictionaryResultType
    request.includesPendingChanges = false
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: properties.map { NSPredicate(format: "%K != NULL", $0) }
    )
    let count = NSExpressionDescription()
    count.name = countName
    count.expression = NSExpression(forFunction: "count:", arguments: [NSExpression.expressionForEvaluatedObject()])
    request.propertiesToFetch = properties + [count]
    request.propertiesToGroupBy = properties
    request.sortDescriptors = [NSSortDescriptor(key: count.name, ascending: false)]
    request.fetchLimit = limit
    return request
  }

  private func group(_ found: NSDictionary, names: [NSManagedObjectID: String]) -> Group {
    var labels: [String] = []
    var predicates: [String?] = []
    for name in properties {
      let value = found[name]
      if let id = value as? NSManagedObjectID {
        labels.append(names[id] ?? ObjectNames.fallback(id))
        predicates.append(ValueFilter(destination: id, relationship: name)?.only)
      } else if let attribute = entity.attributesByName[name] {
        labels.append(ShownValue(summaryOf: value, attribute: attribute).plainText)
        predicates.append(ValueFilter(value: value, attribute: attribute)?.only)
      } else {
        labels.append("")
        predicates.append(nil)
      }
    }
    let known = predicates.compactMap(\.self)
    return Group(
      labels: labels,
      count: (found[countName] as? NSNumber)?.intValue ?? 0,
      predicate: known.count == predicates.count ? known.joined(separator: " AND ") : nil
    )
  }
}
