import CoreData

/// What has been read of a record.
struct RecordDraft {
  let shape: EntityShape
  private(set) var values: [(attribute: NSAttributeDescription, value: AttributeValue)] = []
  private(set) var references: [PlannedRecord.Reference] = []

  init(shape: EntityShape) {
    self.shape = shape
  }

  mutating func add(_ value: AttributeValue, for attribute: NSAttributeDescription, at position: SeedPosition)
    throws
  {
    try check(attribute.name, isNew: !values.contains { $0.attribute === attribute }, at: position)
    values.append((attribute, value))
  }

  mutating func add(_ reference: PlannedRecord.Reference, at position: SeedPosition) throws {
    let isNew = !references.contains { $0.relationship === reference.relationship }
    try check(reference.relationship.name, isNew: isNew, at: position)
    references.append(reference)
  }

  /// What has been read of a natural key; nil while a part of it is missing.
  func values(for key: NaturalKey) -> KeyValues? { PlannedRecord.values(for: key, values, references) }

  private func check(_ name: String, isNew: Bool, at position: SeedPosition) throws {
    guard !isNew else { return }
    throw SeedError.wrongShape(
      at: position,
      "\(name) is given by another key of the record already",
      remedy: "remove one of them"
    )
  }
}
