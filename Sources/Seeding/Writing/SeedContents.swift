import CoreData

/// The digests of relationships in the ledger: objects by their natural keys, and objects without a
/// key by their contents.
struct SeedContents {
  /// The parts of a relationship's objects that are compared.
  private struct Shape {
    let key: NaturalKey?
    /// The relationships of these objects that nested records set.
    var inner: [String: Shape] = [:]
  }

  /// The deepest nesting of records that is compared.
  private static let deepest = 50

  /// The records without a natural key, by their labels.
  private var records: [SeedLabel: PlannedRecord] = [:]
  private let keyDigests = KeyDigests()

  init(_ records: [PlannedRecord] = []) {
    for record in records where record.naturalKey == nil {
      if let label = record.label { self.records[label] = record }
    }
  }

  /// The record without a natural key that a target means; nil for all other targets.
  func record(_ target: PlannedRecord.Target) -> PlannedRecord? {
    if case .label(let label, nil) = target { records[label] } else { nil }
  }

  /// Returns true if a reference contains a record without a natural key.
  func hasKeyless(_ reference: PlannedRecord.Reference) -> Bool {
    !records.isEmpty && reference.targets.contains { record($0) != nil }
  }

  // MARK: - Values of records

  /// The digest of a reference; nil if one of its objects cannot be identified.
  /// - Parameter others: Objects that the records of the other side add to it.
  func said(_ reference: PlannedRecord.Reference, with others: [NSManagedObject] = []) -> UInt64? {
    guard var digests = digests(of: reference.targets, reference: reference, depth: 0) else { return nil }
    if let removals = reference.removals {
      guard let removed = self.digests(of: removals, reference: reference, depth: 0) else { return nil }
      return SeedDigest.of(adding: digests, removing: removed)
    }
    if !others.isEmpty {
      let shape = shape(of: [reference], depth: 0)
      for object in others {
        let digest = digest(of: object, shape: shape)
        if !digests.contains(digest) { digests.append(digest) }
      }
    }
    return SeedDigest.of(digests, isOrdered: reference.relationship.isOrdered)
  }

  private func digests(
    of targets: [PlannedRecord.Target],
    reference: PlannedRecord.Reference,
    depth: Int
  ) -> [UInt64]? {
    var digests: [UInt64] = []
    digests.reserveCapacity(targets.count)
    for target in targets {
      if let key = target.naturalKey {
        digests.append(keyDigests.digest(of: key))
      } else if let record = record(target) {
        let inverse = reference.relationship.inverseRelationship?.name
        digests.append(digest(of: record, besides: inverse, isNested: target.isNested, depth: depth))
      } else {
        return nil
      }
    }
    return digests
  }

  /// Of the object that a record would make.
  /// - Parameter inverse: The relationship back to the outer record.
  private func digest(of record: PlannedRecord, besides inverse: String?, isNested: Bool, depth: Int)
    -> UInt64
  {
    let values = Dictionary(record.values.map { ($0.attribute.name, $0.value) }) { first, _ in first }
    var parts = Self.parts(of: record.shape.entity) {
      values[$0.name] ?? PlannedValue.present($0.defaultValue, of: $0)
    }
    guard isNested, depth < Self.deepest else { return SeedDigest.of(record.shape.name, parts) }
    let references = record.references.filter { $0.removals == nil && !$0.targets.isEmpty }
    for reference in references.sorted(by: { $0.relationship.name < $1.relationship.name })
    where reference.relationship.name != inverse {
      guard let digests = digests(of: reference.targets, reference: reference, depth: depth + 1) else { continue }
      let digest = SeedDigest.of(digests, isOrdered: reference.relationship.isOrdered)
      parts.append((reference.relationship.name, digest))
    }
    return SeedDigest.of(record.shape.name, parts)
  }

  // MARK: - Values of objects

  /// The digest of a relationship's objects, in the form of its reference.
  func present(_ objects: [NSManagedObject], reference: PlannedRecord.Reference) -> UInt64 {
    let shape = shape(of: [reference], depth: 0)
    return SeedDigest.of(
      objects.map { digest(of: $0, shape: shape) },
      isOrdered: reference.relationship.isOrdered
    )
  }

  /// The same for a relationship that no record sets.
  /// - Parameter key: The natural key of its destinations.
  func present(_ objects: [NSManagedObject], relationship: NSRelationshipDescription, key: NaturalKey?)
    -> UInt64
  {
    SeedDigest.of(objects.map { digest(of: $0, shape: Shape(key: key)) }, isOrdered: relationship.isOrdered)
  }

  private func shape(of references: [PlannedRecord.Reference], depth: Int) -> Shape {
    var shape = Shape(key: references.first?.destination.naturalKey)
    guard !records.isEmpty, depth < Self.deepest else { return shape }
    let inverse = references.first?.relationship.inverseRelationship?.name
    var inner: [String: [PlannedRecord.Reference]] = [:]
    for target in references.lazy.flatMap(\.targets) where target.isNested {
      for reference in record(target)?.references ?? []
      where reference.removals == nil && reference.relationship.name != inverse {
        inner[reference.relationship.name, default: []].append(reference)
      }
    }
    shape.inner = inner.mapValues { self.shape(of: $0, depth: depth + 1) }
    return shape
  }

  private func digest(of object: NSManagedObject, shape: Shape) -> UInt64 {
    if let key = shape.key?.values(of: object) { return SeedDigest.of(key) }
    var parts = Self.parts(of: object.entity) { PlannedValue.present(object.value(forKey: $0.name), of: $0) }
    for (name, inner) in shape.inner.sorted(by: { $0.key < $1.key }) {
      guard let relationship = object.entity.relationshipsByName[name] else { continue }
      let members = ObjectWriting.members(relationship, of: object)
      guard !members.isEmpty else { continue }
      let digests = members.map { digest(of: $0, shape: inner) }
      parts.append((name, SeedDigest.of(digests, isOrdered: relationship.isOrdered)))
    }
    return SeedDigest.of(object.entity.name ?? "", parts)
  }

  // MARK: - Likeness

  /// The properties that a record without a natural key sets.
  struct Said: Hashable {
    let entity: String
    let names: [String]
  }

  /// The properties that a record sets, and the digest of their values; nil without a value that
  /// could distinguish its object.
  func likeness(of record: PlannedRecord, besides inverse: String?) -> (said: Said, digest: UInt64)? {
    var parts: [(name: String, digest: UInt64)] = []
    for (attribute, value) in record.values where Self.isCompared(attribute) {
      if let digest = SeedDigest.of(value) { parts.append((attribute.name, digest)) }
    }
    for reference in compared(record, besides: inverse) {
      if let digest = said(reference) { parts.append((reference.relationship.name, digest)) }
    }
    guard !parts.isEmpty else { return nil }
    parts.sort { $0.name < $1.name }
    let names = parts.map(\.name)
    return (Said(entity: record.shape.name, names: names), SeedDigest.of(record.shape.name, parts))
  }

  /// The digest of an object's values for the properties that the record sets.
  func likeness(of object: NSManagedObject, as record: PlannedRecord, besides inverse: String?) -> UInt64 {
    var parts: [(name: String, digest: UInt64)] = []
    for (attribute, value) in record.values
    where Self.isCompared(attribute) && SeedDigest.of(value) != nil {
      let present = PlannedValue.present(object.value(forKey: attribute.name), of: attribute)
      parts.append((attribute.name, present.flatMap(SeedDigest.of) ?? 0))
    }
    for reference in compared(record, besides: inverse) where said(reference) != nil {
      let members = ObjectWriting.members(reference.relationship, of: object)
      parts.append((reference.relationship.name, present(members, reference: reference)))
    }
    parts.sort { $0.name < $1.name }
    return SeedDigest.of(record.shape.name, parts)
  }

  private func compared(_ record: PlannedRecord, besides inverse: String?) -> [PlannedRecord.Reference] {
    record.references.filter { reference in
      reference.removals == nil && reference.relationship.name != inverse && !hasKeyless(reference)
    }
  }

  // MARK: - Values

  /// Returns true for an attribute whose values have digests. The results of value transformers do not have digests.
  static func isCompared(_ attribute: NSAttributeDescription) -> Bool {
    EntityShape.canBeGiven(attribute) && !attribute.isTransient
      && SeedAnnotations.transformer(of: attribute) == nil
  }

  /// The digests of the values of an object that are not the model's defaults.
  private static func parts(
    of entity: NSEntityDescription,
    _ value: (NSAttributeDescription) -> PlannedValue?
  ) -> [(name: String, digest: UInt64)] {
    var parts: [(name: String, digest: UInt64)] = []
    for (name, attribute) in entity.attributesByName.sorted(by: { $0.key < $1.key })
    where isCompared(attribute) {
      guard let given = value(attribute),
        given != PlannedValue.present(attribute.defaultValue, of: attribute),
        let digest = SeedDigest.of(given)
      else { continue }
      parts.append((name, digest))
    }
    return parts
  }
}

/// The digests of the natural keys that records refer to: many records refer to the same objects. Used by one thread at a time.
private final class KeyDigests {
  /// The number of digests that are kept.
  private static let most = 10_000

  private var digests: [KeyValues: UInt64] = [:]

  func digest(of key: KeyValues) -> UInt64 {
    if let known = digests[key] { return known }
    if digests.count >= Self.most { digests.removeAll(keepingCapacity: true) }
    let digest = SeedDigest.of(key)
    digests[key] = digest
    return digest
  }
}

extension PlannedRecord.Target {
  /// True if it is a nested record without a label of its own.
  var isNested: Bool { if case .label(.nested, _) = self { true } else { false } }
}

extension NSAttributeDescription {
  /// Returns true when a value that an object has is the one that new objects have.
  func isDefault(_ present: Any?) -> Bool {
    guard let value = PlannedValue.present(present, of: self) else { return false }
    return value == PlannedValue.present(defaultValue, of: self)
  }
}
