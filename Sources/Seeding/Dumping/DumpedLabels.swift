import CoreData
import Digests
import Foundation

/// Labels for the objects that other objects refer to and that have no natural key.
///
/// A label follows from the object's own attributes, so that a change elsewhere does not change it. Objects with equal
/// attributes are distinguished by their related objects, then by the objects related to those, and so on, as long as
/// each step distinguishes more of them. The objects that remain alike are interchangeable. They are numbered by their
/// addresses, each together with the objects that belong to it (``TieBreaker``).
struct DumpedLabels {
  private var labels: [NSManagedObjectID: String] = [:]

  /// - Parameters:
  ///   - labelled: The objects that need a label.
  ///   - objects: All objects that may distinguish them.
  ///   - check: called with each object before its relationships are used to distinguish others.
  init(
    _ labelled: Set<NSManagedObject>,
    among objects: [NSManagedObject],
    check: (NSManagedObject) throws -> Void
  ) throws {
    guard !labelled.isEmpty else { return }
    var groups: [String: [NSManagedObject]] = [:]
    for object in labelled { groups[try Self.stem(of: object), default: []].append(object) }
    let hasTies = groups.values.contains { $0.count > 1 }
    var ranks: [NSManagedObjectID: Int] = [:]
    if hasTies {
      for object in objects { try check(object) }
      var breaker = TieBreaker(
        objects: objects.sorted { $0.rowAddress < $1.rowAddress },
        ranks: try Self.ranks(of: objects)
      )
      ranks = breaker.ranks(apart: labelled)
    }
    for (stem, objects) in groups {
      let sorted = objects.sorted { ranks[$0.objectID] ?? 0 < ranks[$1.objectID] ?? 0 }
      for (index, object) in sorted.enumerated() {
        labels[object.objectID] = index == 0 ? stem : "\(stem)-\(index + 1)"
      }
    }
  }

  func label(of object: NSManagedObject) -> String? { labels[object.objectID] }

  /// The entity and the first digits of a digest of the attributes.
  private static func stem(of object: NSManagedObject) throws -> String {
    let digest = SHA256.hash(data: Data(try attributes(of: object).utf8))
    let digits = digest.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "\(object.entity.name ?? "")-\(digits)"
  }

  private static func attributes(of object: NSManagedObject) throws -> String {
    try SeedJSON.text(.fields(AttributeWords.fields(of: object) { _ in }))
  }

  /// A number for each object: objects that cannot be distinguished have equal numbers.
  private static func ranks(of objects: [NSManagedObject]) throws -> [NSManagedObjectID: Int] {
    var ranks = ranked(try objects.map { ($0, "\($0.entity.name ?? "") \(try attributes(of: $0))") })
    var count = Set(ranks.values).count
    while count < objects.count {
      let finer = ranked(objects.map { ($0, signature(of: $0, ranks: ranks)) })
      let finerCount = Set(finer.values).count
      guard finerCount > count else { break }
      (ranks, count) = (finer, finerCount)
    }
    return ranks
  }

  private static func ranked(_ signatures: [(object: NSManagedObject, signature: String)])
    -> [NSManagedObjectID: Int]
  {
    let order = Set(signatures.map(\.signature)).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
    return Dictionary(
      uniqueKeysWithValues: signatures.map { ($0.object.objectID, numbers[$0.signature] ?? 0) }
    )
  }

  /// The object's own rank, so that the order is kept, and the ranks of its related objects.
  private static func signature(of object: NSManagedObject, ranks: [NSManagedObjectID: Int]) -> String {
    var parts = [sortable(ranks[object.objectID])]
    for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
    where !relationship.isTransient {
      let others = relationship.destinations(of: object).map { sortable(ranks[$0.objectID]) }
      parts.append("\(name):\((relationship.isOrdered ? others : others.sorted()).joined(separator: ","))")
    }
    return parts.joined(separator: " ")
  }

  /// Text that sorts as the number does.
  private static func sortable(_ rank: Int?) -> String {
    let digits = String(rank ?? 0)
    return String(repeating: "0", count: max(0, 12 - digits.count)) + digits
  }
}
