import CoreData
import Foundation

/// The unsaved changes of a writer in its context, as a preview shows them. Used on the context's queue.
struct PreviewedChanges {
  private let writer: SeedWriter
  /// Nil where every record without a natural key is of a new object.
  private let twins: SeedTwins?

  init(_ writer: SeedWriter, twins: SeedTwins? = nil) {
    self.writer = writer
    self.twins = twins
  }

  /// The changes, by entity and name.
  func all() -> [SeedPreview.Change] { all(without: Array(writer.context.deletedObjects)) }

  /// The changes, by entity and name.
  /// - Parameter gone: The objects that would not be there.
  func all(without gone: [NSManagedObject]) -> [SeedPreview.Change] {
    let objects = zip(writer.plan.records, writer.objects)
    let written = zip(objects, writer.outcomes).compactMap { written, outcome in
      written.1.flatMap { change(written.0, object: $0, outcome: outcome) }
    }
    let deleted = gone.map { object in
      SeedPreview.Change(
        kind: .deleted,
        entity: object.entity.name ?? "",
        name: name(of: object) ?? object.objectID.uriRepresentation().lastPathComponent,
        values: []
      )
    }
    // A nested record may describe an object that has a record of its own, and deleted objects may have equal names.
    return (Set(written) + deleted).sorted {
      ($0.entity, $0.name, $0.kind.rawValue) < ($1.entity, $1.name, $1.kind.rawValue)
    }
  }

  /// The preview does not list changes that a deletion causes in other objects by the delete rules.
  private func change(_ record: PlannedRecord, object: NSManagedObject, outcome: RecordOutcome)
    -> SeedPreview.Change?
  {
    if object.isDeleted || twins?.twin(of: object) != nil { return nil }
    if object.isInserted { return created(record, object: object) }
    return outcome == .updated ? updated(record, object: object) : nil
  }

  private func created(_ record: PlannedRecord, object: NSManagedObject) -> SeedPreview.Change {
    SeedPreview.Change(
      kind: .created,
      entity: record.shape.name,
      name: name(of: object) ?? "of \(record.position)",
      values: []
    )
  }

  private func updated(_ record: PlannedRecord, object: NSManagedObject) -> SeedPreview.Change? {
    let given = Set(record.values.map(\.attribute.name) + record.references.map(\.relationship.name))
    let changed = object.changedValues().keys.filter(given.contains).sorted()
    let present = object.committedValues(forKeys: changed)
    let keys = changed.filter { !isLike(present[$0], new: object.value(forKey: $0)) }
    guard !keys.isEmpty else { return nil }
    return SeedPreview.Change(
      kind: .updated,
      entity: record.shape.name,
      name: name(of: object) ?? "of \(record.position)",
      values: keys.map { key in
        .init(key: key, present: words(present[key]), new: words(object.value(forKey: key)))
      }
    )
  }

  /// True if a relationship leads to new objects that are like those of the store.
  private func isLike(_ present: Any?, new: Any?) -> Bool {
    guard let twins else { return false }
    let (before, after) = (
      RelatedObjects.of(present), RelatedObjects.of(new).map { twins.twin(of: $0) ?? $0 }
    )
    guard !before.isEmpty, before.count == after.count else { return false }
    guard new is NSOrderedSet else { return Set(before) == Set(after) }
    return before.map(twins.firstLike) == after.map(twins.firstLike)
  }

  private func name(of object: NSManagedObject) -> String? { writer.plan.naturalKeys.words(of: object) }

  private func words(_ value: Any?) -> String { ValueWords.of(value, name) }
}
