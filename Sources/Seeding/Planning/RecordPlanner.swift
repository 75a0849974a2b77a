import CoreData
import Foundation
import Texts

/// Turns records into planned ones: keys become properties, values those of the properties' types,
/// and what relationships are given becomes the natural keys and labels of objects.
struct RecordPlanner {
  /// The key of a record's label.
  static let labelKey = "$id"
  /// The key of an object that refers to a label.
  static let referenceKey = "$ref"
  /// The key for the name of a record's entity, if it differs from the entity of the list.
  static let entityKey = "$entity"

  /// The key of additions to a to-many relationship that is not set as a whole.
  static let addKey = "$add"
  /// The key of removals from it.
  static let removeKey = "$remove"
  /// The key of all that a to-many relationship is to lead to, where the rest is deleted.
  static let replaceKey = "$replace"

  /// The keys of a record that begin with a dollar sign.
  static let keys = [labelKey, referenceKey, entityKey]

  /// A nested record, which may be repeated without a change.
  private struct NestedRecord: Hashable {
    let entity: String
    let fields: [SeedField]
    /// The key of the outer record, if it is a part of the nested record's key.
    let owner: KeyValues?
  }

  /// The outer record of a nested record, and the relationship that contains the nested record.
  struct Enclosing {
    let draft: RecordDraft
    let relationship: NSRelationshipDescription
  }

  /// The largest number of nested records that are remembered; a record that was forgotten is planned again.
  private static let mostNested = 10_000

  var shapes: EntityShapes
  private(set) var header = SeedHeader()
  /// The sources from which values are computed that the seed does not spell.
  private(set) var computed: ComputedValues
  private var isInRecords = false
  /// True when the record that is planned is a row of a table.
  private var isInRow = false
  /// The properties that a seeder gives to new objects alone, by entity.
  private let createOnly: [String: Set<String>]
  /// The same with those of the model and of the header, by the shapes of entities that records have been read of.
  private var createOnlyByEntity: [ObjectIdentifier: Set<String>] = [:]
  /// The create-only properties that the header of the current source names, by entity.
  private var createOnlyOfHeader: [String: Set<String>] = [:]
  private var labels: [String: (position: SeedPosition, key: KeyValues?)] = [:]
  private var nested: [NestedRecord: PlannedRecord.Target] = [:]
  private var nestedCount = 0
  /// The records within the one that is being planned, and what is remembered of it and them.
  private var inner: [PlannedRecord] = []
  private var newLabels: [String] = []
  private var newNested: [NestedRecord] = []
  /// The keys without a property; nil if the first of them is an error.
  var unknownKeys: UnknownKeys?

  /// True when the store keeps decimal numbers as floating-point ones, as SQLite stores do.
  let roundsDecimals: Bool

  /// - Parameters:
  ///   - createOnly: The properties that a seeder gives to new objects alone, by entity.
  ///   - now: The moment that relative dates count from.
  init(
    _ model: NSManagedObjectModel,
    createOnly: [String: Set<String>] = [:],
    now: Date = Date(),
    roundsDecimals: Bool = false
  ) {
    self.createOnly = createOnly
    self.roundsDecimals = roundsDecimals
    shapes = EntityShapes(model)
    computed = ComputedValues(now: now)
  }

  /// Forgets the header of the previous source.
  /// - Parameter files: The files that values of the source are taken from.
  mutating func beginSource(_ files: SeedFiles) {
    computed.files = files
    header = SeedHeader()
    isInRecords = false
    createOnlyByEntity = [:]
    createOnlyOfHeader = [:]
  }

  /// Forgets labels, because the run is read from its beginning again.
  mutating func restart() {
    labels = [:]
    nested = [:]
    nestedCount = 0
  }

  /// The record, preceded by its nested records. Empty for a header.
  mutating func plan(_ record: SeedRecord) throws -> [PlannedRecord] {
    if record.isHeader {
      try readHeader(record)
      return []
    }
    isInRecords = true
    isInRow = record.isRow
    inner.removeAll(keepingCapacity: true)
    newLabels.removeAll(keepingCapacity: true)
    newNested.removeAll(keepingCapacity: true)
    do {
      let planned = try planWhole(record)
      return inner.isEmpty ? [planned] : inner + [planned]
    } catch {
      forgetRecord()
      throw error
    }
  }

  /// Forgets the record that was planned last. The run may continue without that record, and no
  /// other record may refer to it.
  private mutating func forgetRecord() {
    for label in newLabels { labels[label] = nil }
    for record in newNested { nested[record] = nil }
  }

  /// Adds the unknown keys of a record and of its nested records. The record itself is not kept.
  mutating func collectUnknownKeys(of record: SeedRecord, in keys: inout UnknownKeys) {
    unknownKeys = keys
    if (try? plan(record)) != nil { forgetRecord() }
    keys = unknownKeys ?? keys
    unknownKeys = nil
  }

  /// The entities that an empty list leaves without objects: the named entity or, if it is
  /// abstract, its concrete subentities.
  mutating func entities(ofEmptyList record: SeedRecord) throws -> [NSEntityDescription] {
    let entity = try shapes.shape(for: record.entity, at: record.position).entity
    return entity.isAbstract ? entity.concreteSubentities : [entity]
  }

  private mutating func planWhole(_ record: SeedRecord) throws -> PlannedRecord {
    let (shape, fields) = try concrete(
      try shapes.shape(for: record.entity, at: record.position.withoutRecord),
      fields: record.fields,
      at: record.position
    )
    var position = record.position
    position.entity = shape.name
    return try plan(fields, of: shape, at: position)
  }

  private mutating func readHeader(_ record: SeedRecord) throws {
    for field in record.fields {
      let position = record.position.with(key: field.key)
      guard !isInRecords else {
        throw SeedError.wrongShape(
          at: position,
          problem: "a header stands after records",
          remedy: "put it first in the file"
        )
      }
      for (word, names) in try header.read(field, at: position) {
        if field.key == SeedHeader.createOnlyKey {
          try declareCreateOnly(names, of: word, at: position)
        } else {
          try shapes.declare(names, of: word, at: position)
        }
      }
    }
  }

  private mutating func declareCreateOnly(_ words: [String], of entity: String, at position: SeedPosition)
    throws
  {
    let shape = try shapes.shape(for: entity, at: position)
    for word in words {
      let property = try shape.property(named: word, at: position)
      createOnlyOfHeader[shape.name, default: []].insert(property.name)
    }
  }

  /// The names of properties that are given to new objects of an entity alone.
  private mutating func createOnlyNames(of shape: EntityShape) -> Set<String> {
    if let known = createOnlyByEntity[ObjectIdentifier(shape)] { return known }
    let names = shape.entity.lineage.compactMap(\.name).reduce(into: shape.createOnly) { names, entity in
      names.formUnion(createOnly[entity] ?? [])
      names.formUnion(createOnlyOfHeader[entity] ?? [])
    }
    createOnlyByEntity[ObjectIdentifier(shape)] = names
    return names
  }

  /// The entity that the record itself, or the model's entity mapper, names, and the fields as the
  /// model's record transformer leaves them.
  private mutating func concrete(
    _ shape: EntityShape,
    fields: [SeedField],
    at position: SeedPosition
  ) throws -> (EntityShape, [SeedField]) {
    var named = shape
    if let word = fields.first(where: { $0.key == Self.entityKey }) {
      named = try shapes.shape(for: try Self.text(word.value, at: position.with(key: word.key)), at: position)
    } else if !header.isPlain, let mapper = shape.entityMapper {
      let name = try Self.failing(at: position) { () throws(AttributeConversion.Failure) in
        try SeedTransformer(named: mapper).entity(fields)
      }
      named = try shapes.shape(for: name, at: position)
    }
    guard named.entity.isKindOf(entity: shape.entity) else {
      throw SeedError(
        code: .unknownEntity,
        at: position,
        problem: "\(named.name) is not a subentity of \(shape.name)",
        remedy: "name \(shape.name) or a subentity of it"
      )
    }
    guard !named.entity.isAbstract else {
      let concrete = named.entity.subentities.compactMap(\.name).sorted().joined(separator: ", ")
      throw SeedError(
        code: .unknownEntity,
        at: position.key == nil && position.entity != nil ? position.withoutRecord : position,
        problem: "\(named.name) is abstract, so it has no objects",
        remedy: "name one of its subentities: \(concrete)"
      )
    }
    named.isInUse = true
    let given = isInRow ? self.fields(fields, ofRow: named) : fields
    guard !header.isPlain, let transformer = named.recordTransformer else { return (named, given) }
    let transformed = try Self.failing(at: position) { () throws(AttributeConversion.Failure) in
      try SeedTransformer(named: transformer).record(given)
    }
    return (named, transformed)
  }

  /// Plans a nested record, unless an equal one has been planned before.
  mutating func planNested(
    _ fields: [SeedField],
    in destination: EntityShape,
    within enclosing: Enclosing?,
    at position: SeedPosition
  ) throws -> PlannedRecord.Target {
    let (shape, fields) = try concrete(destination, fields: fields, at: position)
    let owner = enclosing.flatMap { self.owner(in: $0, of: shape, besides: fields) }
    let record = NestedRecord(entity: shape.name, fields: fields, owner: owner?.keys.first)
    if let known = nested[record] { return known }
    nestedCount += 1
    let planned = try plan(fields, of: shape, at: position, owner: owner, unlabelled: .nested(nestedCount))
    inner.append(planned)
    let target = PlannedRecord.Target.label(
      planned.label ?? .nested(nestedCount),
      key: destination.naturalKey.flatMap(planned.values(for:))
    )
    // Without a natural key, each record is another object.
    if planned.naturalKey != nil {
      if nested.count == Self.mostNested { nested.removeAll() }
      nested[record] = target
      newNested.append(record)
    }
    return target
  }

  /// The reference to the enclosing record that is a part of the key of one within it, which need not repeat it.
  private mutating func owner(in enclosing: Enclosing, of shape: EntityShape, besides fields: [SeedField])
    -> PlannedRecord.Reference?
  {
    guard let inverse = enclosing.relationship.inverseRelationship, !inverse.isToMany,
      let relationship = shape.entity.relationshipsByName[inverse.name], shape.isKey(relationship),
      !fields.contains(where: {
        shape.words.property(named: $0.key, isPlain: header.isPlain)?.name == inverse.name
      }),
      let name = relationship.destinationEntity?.name, let destination = shapes.shape(named: name),
      let key = destination.naturalKey.flatMap(enclosing.draft.values(for:))
    else { return nil }
    destination.isInUse = true
    return .init(relationship: relationship, destination: destination, targets: [.key(key)])
  }

  private mutating func plan(
    _ fields: [SeedField],
    of shape: EntityShape,
    at position: SeedPosition,
    owner: PlannedRecord.Reference? = nil,
    unlabelled: SeedLabel? = nil
  ) throws -> PlannedRecord {
    let outer = computed.record
    computed.record = (fields, shape)
    defer { computed.record = outer }
    var draft = RecordDraft(shape: shape)
    var label = unlabelled
    if let owner { try draft.add(owner, at: position) }
    for field in inOrder(fields, of: shape) where field.key != Self.entityKey {
      let place = position.with(key: field.key)
      if field.key == Self.labelKey {
        label = .written(try Self.text(field.value, at: place))
      } else {
        try add(field, to: &draft, at: place)
      }
    }
    let record = PlannedRecord(
      shape: shape,
      position: position,
      label: label,
      values: draft.values,
      references: draft.references,
      createOnly: createOnlyNames(of: shape)
    )
    if case .written(let label) = label { try remember(label, of: record) }
    return record
  }

  /// Nested records are planned last, because their keys may contain the record's natural key.
  /// Fields that may be a part of the record's own key come first.
  private func inOrder(_ fields: [SeedField], of shape: EntityShape) -> [SeedField] {
    guard fields.contains(where: { $0.value.hasRecords }) else { return fields }
    func rank(_ field: SeedField) -> Int {
      guard field.value.hasRecords,
        let relationship = shape.words.property(named: field.key, isPlain: header.isPlain)
          as? NSRelationshipDescription
      else { return 0 }
      return shape.isKey(relationship) ? 1 : 2
    }
    return (0...2).flatMap { place in fields.filter { rank($0) == place } }
  }

  private mutating func remember(_ label: String, of record: PlannedRecord) throws {
    guard let first = labels[label] else {
      labels[label] = (record.position, record.naturalKey)
      newLabels.append(label)
      return
    }
    throw SeedError(
      code: .ambiguousKey,
      at: record.position.with(key: Self.labelKey),
      problem: "\(first.position) has the label \"\(label.abbreviated)\" as well",
      remedy: "give each record a label of its own"
    )
  }

  /// Nil for a label of a later record.
  func key(ofLabel label: String) -> KeyValues? { labels[label]?.key }

  func isKnown(label: String) -> Bool { labels[label] != nil }
}

extension RecordPlanner {
  /// A label or the name of an entity.
  static func text(_ value: SeedValue, at position: SeedPosition) throws -> String {
    switch value {
    case .string(let text) where !text.isEmpty: return text
    case .text(let text) where !text.isBlank: return text.trimmingCharacters(in: .whitespaces)
    case .integer(let number): return "\(number)"
    default:
      throw SeedError(
        code: .wrongType,
        at: position,
        problem: "\(value.kind) is not a label or name",
        remedy: "give a string"
      )
    }
  }

  static func failing<Result>(
    at position: SeedPosition,
    _ body: () throws(AttributeConversion.Failure) -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw SeedError(error, at: position)
    }
  }
}

extension NSEntityDescription {
  /// All entities that inherit from the entity and have objects.
  fileprivate var concreteSubentities: [NSEntityDescription] {
    subentities.flatMap { ($0.isAbstract ? [] : [$0]) + $0.concreteSubentities }
  }
}

extension SeedValue {
  /// True if the value may contain nested records instead of references.
  var hasRecords: Bool {
    switch self {
    case .object: true
    case .array(let values): values.contains { if case .object = $0 { true } else { false } }
    default: false
    }
  }
}
