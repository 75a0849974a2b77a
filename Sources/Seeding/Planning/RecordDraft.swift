import CoreData

/// What has been read of a record.
struct RecordDraft {
  let shape: EntityShape
  private(set) var values: [(attribute: NSAttributeDescription, value: AttributeValue)] = []
  private(set) var references: [PlannedRecord.Reference] = []
  /// The names of what is given, once it is too much to be gone over for each.
  private var names: Set<String> = []
  private static let few = 16

  init(shape: EntityShape) {
    self.shape = shape
  }

  mutating func add(_ value: AttributeValue, for attribute: NSAttributeDescription, at position: SeedPosition)
    throws
  {
    try check(attribute.name, at: position)
    values.append((attribute, value))
  }

  mutating func add(_ reference: PlannedRecord.Reference, at position: SeedPosition) throws {
    try check(reference.relationship.name, at: position)
    references.append(reference)
  }

  /// What has been read of a natural key; nil while a part of it is missing.
  func values(for key: NaturalKey) -> KeyValues? { PlannedRecord.values(for: key, values, references) }

  private mutating func check(_ name: String, at position: SeedPosition) throws {
    guard !insert(name) else { return }
    throw SeedError.wrongShape(
      at: position,
      "\(name) is given by another key of the record already",
      remedy: "remove one of them"
    )
  }

  /// False for a name that is given already.
  private mutating func insert(_ name: String) -> Bool {
    guard values.count + references.count >= Self.few else {
      return !values.contains { $0.attribute.name == name }
        && !references.contains { $0.relationship.name == name }
    }
    if names.isEmpty { names = Set(values.map(\.attribute.name) + references.map(\.relationship.name)) }
    return names.insert(name).inserted
  }
}
