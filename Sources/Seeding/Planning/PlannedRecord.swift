import CoreData
import Texts

/// A record whose keys and values fit the model, before its objects are looked up in a store.
///
/// Handed on by reference, because copying all that it has takes longer than planning it.
final class PlannedRecord {
  let shape: EntityShape
  let position: SeedPosition
  /// Nil when the entity has none, or the record does not give all of it: then an object is inserted.
  let naturalKey: KeyValues?
  /// The digest of the natural key, by which the store's ledger knows the object.
  let keyDigest: UInt64?
  /// The label by which the references of this run may name it, besides its natural key.
  let label: SeedLabel?
  let values: [(attribute: NSAttributeDescription, value: PlannedValue)]
  let references: [Reference]
  /// The names of properties that are given to new objects alone.
  let createOnly: Set<String>
  /// The digests that the ledger has for the object under other natural keys, by the number of
  /// their seed in the draft; nil until they are needed.
  var formerDigests: [Int: UInt64]?
  /// Its number among the records of the run, or that of the record that it stands within.
  var number = 0
  /// The number of its seed in the run.
  var seed = 0
  /// True if the store already has the seed's content, and the seed is read because other seeds of
  /// the run may refer to its records.
  var isUnchangedSeed = false

  /// A relationship and the objects that it leads to, none to empty it.
  struct Reference {
    let relationship: NSRelationshipDescription
    let destination: EntityShape

    /// All destinations of the relationship; if `removals` is set, those that are added.
    let targets: [Target]

    /// The objects that are removed from the relationship; nil if the relationship is set as a whole.
    var removals: [Target]?

    /// True if objects that are not listed are deleted, whatever the model's delete rule.
    var replaces = false

    /// True when records of the other side may state the same links.
    var isManyToMany: Bool { relationship.isManyToMany }

    /// The ledger's name for the statement. Additions and removals have a name of their own,
    /// because they are changes and not a value.
    var ledgerName: String { removals == nil ? relationship.name : relationship.name + "+" }

    /// True when it leads to the one object that the record's own cannot be without: by the model's
    /// rules, or because it would be deleted along with it.
    var isToOwner: Bool {
      !relationship.isToMany
        && (!relationship.isOptional || relationship.inverseRelationship?.deleteRule == .cascadeDeleteRule)
    }

    /// True when a user has deleted the object that the record's own cannot be without. An object that is there keeps
    /// the one that it has.
    /// - Parameter members: The objects that are left of the targets.
    func lacksOwner(_ members: [NSManagedObject]) -> Bool { isToOwner && members.isEmpty && !targets.isEmpty }

    /// The natural keys that have to be looked up.
    var keys: [KeyValues] {
      (removals.map { targets + $0 } ?? targets).compactMap { if case .key(let key) = $0 { key } else { nil } }
    }
  }

  /// One object that a relationship leads to.
  enum Target {
    /// By natural key, of the seed or of the store.
    case key(KeyValues)
    /// By label, of the same run. With the object's natural key if that is known already.
    case label(SeedLabel, key: KeyValues?)

    var naturalKey: KeyValues? {
      switch self {
      case .key(let key): key
      case .label(_, let key): key
      }
    }
  }

  init(
    shape: EntityShape,
    position: SeedPosition,
    label: SeedLabel?,
    values: [(attribute: NSAttributeDescription, value: PlannedValue)],
    references: [Reference],
    createOnly: Set<String>
  ) {
    self.shape = shape
    self.createOnly = createOnly
    self.position = position
    self.label = label
    self.values = values
    self.references = references
    naturalKey = shape.naturalKey.flatMap { Self.values(for: $0, values, references: references) }
    keyDigest = naturalKey.map(SeedDigest.of)
  }

  /// True if the store's ledger gets what the record states.
  var isInLedger: Bool { keyDigest != nil && !isUnchangedSeed }

  /// The property of a statement in the ledger: one of the values, followed by the references.
  func property(ofStatement place: Int) -> NSPropertyDescription {
    place < values.count ? values[place].attribute : references[place - values.count].relationship
  }

  /// True if the record is nested in another record, where it is written instead of a reference.
  var isNested: Bool { position.key != nil }

  /// The record's values for a natural key, which may be the one of an entity that its own inherits from.
  func values(for key: NaturalKey) -> KeyValues? { Self.values(for: key, values, references: references) }

  static func values(
    for key: NaturalKey,
    _ values: [(attribute: NSAttributeDescription, value: PlannedValue)],
    references: [Reference]
  ) -> KeyValues? {
    key.values { part in
      switch part {
      case .attribute(let attribute):
        let value = values.first { $0.attribute.name == attribute.name }?.value
        return value.flatMap { $0 == .null ? nil : .value($0) }
      case .relationship(let relationship, _):
        let reference = references.first { $0.relationship.name == relationship.name }
        return reference?.targets.first?.naturalKey.map(KeyValues.Part.object)
      }
    }
  }
}

/// The name of a record within a run, whether or not its entity has a natural key.
enum SeedLabel: Hashable, Sendable {
  /// The text under `$id` in the record.
  case written(String)

  /// A nested record without a label of its own, by its number within the run.
  case nested(Int)

  /// The words by which an error names it.
  var words: String {
    switch self {
    case .written(let label): "\"\(label.abbreviated)\""
    case .nested(let number): "of the nested record \(number)"
    }
  }
}

/// All records of a run, checked against the model, in the order in which they are to be inserted.
struct PlannedRecords {
  /// The records of one entity are adjacent, in the order of their files. Destinations come before
  /// the records that refer to them, unless relationships form a cycle.
  let records: [PlannedRecord]

  /// The entities of which a seed has a list without records.
  let empty: [NSEntityDescription]

  /// The model's entities, by name.
  let entities: [String: NSEntityDescription]

  /// The natural keys of the model's entities, with those that headers declare.
  let naturalKeys: NaturalKeys
}
