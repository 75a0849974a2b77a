import CoreData
import Seeding

/// The attributes whose values identify an entity's objects.
struct UniqueAttributes {
  let names: Set<String>

  /// Chooses one attribute of each uniqueness constraint and of the natural key that seeds go by:
  /// the first that has as many values as there are objects.
  /// - Parameters:
  ///   - count: The number of objects of the entity's whole family.
  ///   - size: Gives the number of values that an attribute has.
  init(
    of entity: NSEntityDescription,
    count: UInt64,
    size: (NSAttributeDescription) throws(GenerationError) -> UInt64
  ) throws(GenerationError) {
    var chosen: Set<String> = []
    for set in Self.sets(of: entity) where !set.contains(where: chosen.contains) {
      let attributes = set.compactMap { entity.attributesByName[$0] }
      var found: String?
      for attribute in attributes where found == nil {
        if try size(attribute) >= count { found = attribute.name }
      }
      guard let found else {
        throw GenerationError(
          place: "\(entity.name ?? "").\(set.joined(separator: ","))",
          problem: "there are not enough values to tell \(count) objects apart",
          remedy: "make fewer objects, or loosen the attribute's rules",
          isOfPlan: true
        )
      }
      chosen.insert(found)
    }
    names = chosen
  }

  /// Constraints of one attribute come first, because they leave no choice.
  private static func sets(of entity: NSEntityDescription) -> [[String]] {
    var sets = sequence(first: entity, next: \.superentity).flatMap(\.uniquenessConstraints).map {
      constraint in
      constraint.map { ($0 as? NSPropertyDescription)?.name ?? $0 as? String ?? "" }
    }
    if let key = NaturalKeys().key(of: entity) { sets.append(key.names) }
    return sets.filter { $0.count == 1 } + sets.filter { $0.count > 1 }
  }
}
