import CoreData

extension SeedWriter {
  /// Finds the records with a natural key that make no object, because all records that they stand within are left as
  /// they are, or are of objects that are not to be.
  mutating func findWithinLeft() {
    guard seeder.mode == .createOnly || !seeder.restoresDeletedObjects else { return }
    let reached = placesOfWritten()
    for (place, record) in plan.records.enumerated()
    where record.isNested && !record.isStanding && !reached.contains(place) {
      guard let key = record.naturalKey, !index.hasObject(key, of: record.shape) else { continue }
      skipped.insert(place)
      ledger.leaveOut(record)
    }
  }

  /// The places of records that stand alone, and of those that a record which is written refers to.
  private func placesOfWritten() -> Set<Int> {
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
    guard reached.count < plan.records.count else { return reached }
    while let place = waiting.popLast() {
      guard isToBeWritten(place) else { continue }
      for reference in plan.records[place].references {
        for target in reference.targets {
          let found: [Int] =
            switch target {
            case .label(let label, _): places[label].map { [$0] } ?? []
            case .key(let key):
              (placesOfKeys[key] ?? []).filter { place in
                plan.records[place].shape.entity.isKindOf(entity: reference.destination.entity)
              }
            }
          for place in found where reached.insert(place).inserted { waiting.append(place) }
        }
      }
    }
    return reached
  }

  /// Returns true when what a record says of its relationships is written, but for what a user has changed.
  private func isToBeWritten(_ place: Int) -> Bool {
    let record = plan.records[place]
    guard !record.isStanding, !skipped.contains(place) else { return false }
    guard index.hasObject(record.naturalKey, of: record.shape) else { return !ledger.staysDeleted(record) }
    return seeder.mode != .createOnly
  }
}
