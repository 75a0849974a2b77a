import CoreData

extension SeedWriter {
  /// Finds the records with a natural key that do not create an object because of all records that contain them: these
  /// are skipped, have a deleted object, or have an owned list that is not written.
  mutating func findWithinLeft() {
    let leavesAny =
      seeder.mode == .createOnly || seeder.mode == .merge || !seeder.restoresDeletedObjects
      || plan.records.contains { !$0.createOnly.isEmpty }
    guard leavesAny else { return }
    let absent = plan.records.indices.filter { place in
      let record = plan.records[place]
      return record.isNested && !record.isUnchangedSeed && record.naturalKey != nil
        && !index.hasObject(record.naturalKey, of: record.shape)
    }
    guard !absent.isEmpty else { return }
    let reached = placesOfWritten(Set(absent))
    for place in absent where !reached.contains(place) {
      skipped.insert(place)
      ledger.leaveOut(plan.records[place])
    }
  }

  /// The places of records that stand alone, and of those that a record which is written refers to.
  private mutating func placesOfWritten(_ absent: Set<Int>) -> Set<Int> {
    var places: [SeedLabel: Int] = [:]
    var placesOfKeys: [KeyValues: [Int]] = [:]
    var waiting: [Int] = []
    for (place, record) in plan.records.enumerated() {
      guard record.isNested else {
        waiting.append(place)
        continue
      }
      if let label = record.label { places[label] = place }
      if let key = record.naturalKey { placesOfKeys[key, default: []].append(place) }
    }
    var reached = Set(waiting)
    while let place = waiting.popLast() {
      guard isToBeWritten(place) else { continue }
      let record = plan.records[place]
      let object = record.naturalKey.flatMap { index.knownObject($0, of: record.shape) }
      for (number, reference) in record.references.enumerated() {
        let found = reference.targets.flatMap { target -> [Int] in
          switch target {
          case .label(let label, _): places[label].map { [$0] } ?? []
          case .key(let key):
            (placesOfKeys[key] ?? []).filter { other in
              plan.records[other].shape.entity.isKindOf(entity: reference.destination.entity)
            }
          }
        }
        if let object, reference.owns, found.contains(where: absent.contains),
          !takes(reference, number: number, of: object, place: place)
        {
          continue
        }
        for other in found where reached.insert(other).inserted { waiting.append(other) }
      }
    }
    return reached
  }

  /// Returns true if a record's relationships are written, except for a user's changes.
  private func isToBeWritten(_ place: Int) -> Bool {
    let record = plan.records[place]
    return !record.isUnchangedSeed
      && decision(on: place, hasObject: index.hasObject(record.naturalKey, of: record.shape)).writes
  }
}
