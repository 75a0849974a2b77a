import CoreData
import Foundation

/// The changes that a writer has made in its context and nobody has saved, as a preview shows them.
/// Used on the context's queue.
struct PreviewedChanges {
  private let writer: SeedWriter

  init(_ writer: SeedWriter) {
    self.writer = writer
  }

  /// The changes, by entity and name.
  func all() -> [SeedPreview.Change] {
    let written = zip(writer.plan.records, writer.objects).compactMap { record, object in
      object.flatMap { $0.isInserted ? created(record, $0) : updated(record, $0) }
    }
    let deleted = writer.context.deletedObjects.map { object in
      SeedPreview.Change(
        kind: .deleted,
        entity: object.entity.name ?? "",
        name: name(of: object) ?? object.objectID.uriRepresentation().lastPathComponent,
        values: []
      )
    }
    // A record within another may be about an object that has a record of its own; deleted objects
    // may have one name.
    return (Set(written) + deleted).sorted {
      ($0.entity, $0.name, $0.kind.rawValue) < ($1.entity, $1.name, $1.kind.rawValue)
    }
  }

  private func created(_ record: PlannedRecord, _ object: NSManagedObject) -> SeedPreview.Change {
    SeedPreview.Change(
      kind: .created,
      entity: record.shape.name,
      name: name(of: object) ?? "of \(record.position)",
      values: []
    )
  }

  private func updated(_ record: PlannedRecord, _ object: NSManagedObject) -> SeedPreview.Change? {
    let given = Set(record.values.map(\.attribute.name) + record.references.map(\.relationship.name))
    let keys = object.changedValues().keys.filter(given.contains).sorted()
    guard !keys.isEmpty else { return nil }
    let present = object.committedValues(forKeys: keys)
    return SeedPreview.Change(
      kind: .updated,
      entity: record.shape.name,
      name: name(of: object) ?? "of \(record.position)",
      values: keys.map { key in
        .init(
          key: key,
          present: words(present[key]),
          new: words(object.value(forKey: key))
        )
      }
    )
  }

  private func name(of object: NSManagedObject) -> String? {
    writer.plan.naturalKeys.key(of: object.entity)?.values(of: object)?.words
  }

  private func words(_ value: Any?) -> String { ValueWords.of(value, name) }
}
