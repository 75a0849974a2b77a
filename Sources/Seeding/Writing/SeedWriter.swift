import CoreData
import Foundation

/// Makes the objects of a plan in a context, on that context's queue, and does not save.
struct SeedWriter {
  private enum Fate {
    case created, updated, unchanged
  }

  let context: NSManagedObjectContext
  let plan: SeedPlan
  private(set) var objects: [NSManagedObject] = []
  private var fates: [Fate] = []
  private var index: ObjectIndex

  init(_ plan: SeedPlan, in context: NSManagedObjectContext) {
    self.plan = plan
    self.context = context
    index = ObjectIndex(context)
    objects.reserveCapacity(plan.records.count)
    fates.reserveCapacity(plan.records.count)
  }

  /// Inserts what is not there, changes what differs, then ties the objects together.
  mutating func write() throws {
    try findPresentObjects()
    for record in plan.records { try writeValues(of: record) }
    try findReferredObjects()
    for number in plan.records.indices { try writeReferences(of: number) }
  }

  /// What became of the records, by the name of their entity.
  var counts: [String: SeedReport.Counts] {
    var counts: [String: SeedReport.Counts] = [:]
    for (record, fate) in zip(plan.records, fates) {
      switch fate {
      case .created: counts[record.shape.name, default: .init()].created += 1
      case .updated: counts[record.shape.name, default: .init()].updated += 1
      case .unchanged: counts[record.shape.name, default: .init()].unchanged += 1
      }
    }
    return counts
  }

  private mutating func findPresentObjects() throws {
    var wanted = ObjectIndex.Wanted()
    for record in plan.records {
      if let key = record.naturalKey { wanted.add(key, of: record.shape) }
    }
    try index.fetch(wanted)
  }

  private mutating func writeValues(of record: PlannedRecord) throws {
    if let key = record.naturalKey,
      let object = try index.object(key, of: record.shape, at: record.position)
    {
      var differs = false
      for (attribute, value) in record.values where !value.isEqual(to: object.value(forKey: attribute.name)) {
        object.setValue(value.object, forKey: attribute.name)
        differs = true
      }
      objects.append(object)
      fates.append(differs ? .updated : .unchanged)
    } else {
      let object = NSEntityDescription.insertNewObject(forEntityName: record.shape.name, into: context)
      for (attribute, value) in record.values { object.setValue(value.object, forKey: attribute.name) }
      objects.append(object)
      fates.append(.created)
    }
  }

  /// Objects of the seed can be referred to from everywhere in it; what else is referred to is looked for in the
  /// store.
  private mutating func findReferredObjects() throws {
    var wanted = ObjectIndex.Wanted()
    for record in plan.records {
      for reference in record.references {
        for key in reference.keys { wanted.add(key, of: reference.destination) }
      }
    }
    for destination in wanted.shapes {
      guard let key = destination.naturalKey else { continue }
      for (record, object) in zip(plan.records, objects)
      where record.shape.entity.isKindOf(entity: destination.entity) {
        guard let value = record.values(for: key) else { continue }
        index.add(object, value, of: destination)
      }
    }
    try index.fetch(wanted)
  }

  private mutating func writeReferences(of number: Int) throws {
    let record = plan.records[number]
    let object = objects[number]
    for reference in record.references {
      let name = reference.relationship.name
      let position = record.position.with(key: name)
      let destinations = try reference.keys.map { key in
        guard let destination = try index.object(key, of: reference.destination, at: position) else {
          throw unknownReference(key, reference.destination, at: position)
        }
        return destination
      }
      if Self.set(destinations, for: reference.relationship, of: object), fates[number] == .unchanged {
        fates[number] = .updated
      }
    }
  }

  /// Sets the relationship if it differs, and says whether it did.
  private static func set(
    _ destinations: [NSManagedObject],
    for relationship: NSRelationshipDescription,
    of object: NSManagedObject
  ) -> Bool {
    let name = relationship.name
    let present = object.value(forKey: name)
    if !relationship.isToMany {
      let destination = destinations.first
      guard (present as? NSManagedObject) !== destination else { return false }
      object.setValue(destination, forKey: name)
    } else if relationship.isOrdered {
      let ordered = NSOrderedSet(array: destinations)
      guard !ordered.isEqual(present) else { return false }
      object.setValue(ordered, forKey: name)
    } else {
      let set = Set(destinations)
      guard present as? Set<NSManagedObject> != set else { return false }
      object.setValue(set, forKey: name)
    }
    return true
  }

  private func unknownReference(
    _ key: KeyValues,
    _ destination: EntityShape,
    at position: SeedPosition
  ) -> SeedError {
    let attribute = destination.naturalKey?.name ?? ""
    let known = index.keys(of: destination).compactMap { key -> String? in
      if case .one(.string(let text)) = key { text } else { nil }
    }
    var remedy = "correct it, or add the \(destination.name) to the seed"
    if case .one(.string(let text)) = key, let nearest = Suggestion.nearest(to: text, among: known.sorted()) {
      remedy = "was \"\(nearest)\" meant?"
    }
    return SeedError(
      .unknownReference,
      at: position,
      "there is no \(destination.name) with the \(attribute) \(key.words), neither in the seed nor in the store",
      remedy: remedy
    )
  }
}
