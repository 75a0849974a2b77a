import CoreData

/// The values and references of a record, as far as they have been read.
struct RecordDraft {
  let shape: EntityShape
  private(set) var values: [(attribute: NSAttributeDescription, value: PlannedValue)] = []
  private(set) var references: [PlannedRecord.Reference] = []
  /// The properties that are given, once they are too many to be gone over for each.
  private var given: Set<ObjectIdentifier> = []
  private static let few = 16

  init(shape: EntityShape) { self.shape = shape }

  mutating func add(_ value: PlannedValue, for attribute: NSAttributeDescription, at position: SeedPosition)
    throws
  {
    try check(attribute, at: position)
    values.append((attribute, value))
  }

  mutating func add(_ reference: PlannedRecord.Reference, at position: SeedPosition) throws {
    try check(reference.relationship, at: position)
    references.append(reference)
  }

  /// The values of a natural key that have been read; nil while a part of it is missing.
  func values(for key: NaturalKey) -> KeyValues? { PlannedRecord.values(for: key, values, references: references) }

  private mutating func check(_ property: NSPropertyDescription, at position: SeedPosition) throws {
    guard !insert(property) else { return }
    throw SeedError.wrongShape(
      at: position,
      problem: "\(property.name) is given by another key of the record already",
      remedy: "remove one of them"
    )
  }

  /// False for a property that is given already.
  private mutating func insert(_ property: NSPropertyDescription) -> Bool {
    guard values.count + references.count >= Self.few else {
      return !values.contains { $0.attribute === property }
        && !references.contains { $0.relationship === property }
    }
    if given.isEmpty {
      given.formUnion(values.map { ObjectIdentifier($0.attribute) })
      given.formUnion(references.map { ObjectIdentifier($0.relationship) })
    }
    return given.insert(ObjectIdentifier(property)).inserted
  }
}
