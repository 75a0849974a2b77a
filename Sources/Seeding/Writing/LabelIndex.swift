import CoreData
import Texts

/// Finds the objects of a run by the labels of their records.
struct LabelIndex {
  private var objects: [SeedLabel: NSManagedObject] = [:]
  /// The records whose objects are not there, and are not to be.
  private var missing: [SeedLabel: PlannedRecord] = [:]

  mutating func add(_ object: NSManagedObject?, label: SeedLabel, of record: PlannedRecord) {
    objects[label] = object
    if object == nil { missing[label] = record }
  }

  /// The object of the record with the label, if there is one.
  subscript(label: SeedLabel) -> NSManagedObject? { objects[label] }

  /// Returns true if the record with the label does not create an object.
  func isLeftOut(_ label: SeedLabel) -> Bool { missing[label].map { !$0.isUnchangedSeed } ?? false }

  /// The object of the record with the label, which has to be of the entity that a relationship leads to.
  func object(_ label: SeedLabel, of destination: EntityShape, at position: SeedPosition) throws
    -> NSManagedObject
  {
    guard let object = objects[label] else { throw unknown(label, at: position) }
    guard object.entity.isKindOf(entity: destination.entity) else {
      throw SeedError(
        code: .wrongType,
        at: position,
        problem:
          "the label \(label.words) is of a \(object.entity.name ?? ""), and the relationship leads to a "
          + destination.name,
        remedy: "refer to a \(destination.name)"
      )
    }
    return object
  }

  private func unknown(_ label: SeedLabel, at position: SeedPosition) -> SeedError {
    if let record = missing[label], record.isUnchangedSeed {
      let reason =
        record.naturalKey == nil
        ? "there is no natural key to know its object by" : "its object is not in the store any more"
      return SeedError(
        code: .unknownReference,
        at: position,
        problem:
          "the record with the label \(label.words) is of \(record.position.file), which the store has already, and \(reason)",
        remedy: "seed that file again, by the policy always"
      )
    }
    let known = objects.keys.compactMap { if case .written(let label) = $0 { label } else { nil } }
    var remedy =
      "correct it, or write \"\(RecordPlanner.labelKey)\": \(label.words) in the record that is meant"
    if case .written(let word) = label, let nearest = Suggestion.nearest(to: word, among: known.sorted()) {
      remedy = "was \"\(nearest)\" meant?"
    }
    return SeedError(
      code: .unknownReference,
      at: position,
      problem: "no record of this run has the label \(label.words)",
      remedy: remedy
    )
  }
}
