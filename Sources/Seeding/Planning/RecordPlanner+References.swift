import CoreData
import Texts

extension RecordPlanner {
  /// The reference that a value makes for a relationship, as natural keys and labels.
  mutating func reference(
    _ value: SeedValue,
    relationship: NSRelationshipDescription,
    of draft: RecordDraft,
    at position: SeedPosition
  ) throws -> PlannedRecord.Reference {
    let destination = try destination(of: relationship, at: position)
    // The draft is copied only if a nested record needs it.
    let enclosing = value.hasRecords ? Enclosing(draft: draft, relationship: relationship) : nil
    let place = ReferencePlace(
      relationship: relationship,
      destination: destination,
      enclosing: enclosing,
      position: position
    )
    if let change = try change(value, at: place) { return change }
    if let list = try replacement(value, at: place) { return list }
    let targets = try targets(value, at: place)
    if case .label(.written(let label), nil) = targets.first, draft.shape.isKey(relationship) {
      try checkKeyLabel(label, of: relationship, at: position)
    }
    return PlannedRecord.Reference(relationship: relationship, destination: destination, targets: targets)
  }

  private mutating func destination(
    of relationship: NSRelationshipDescription,
    at position: SeedPosition
  ) throws -> EntityShape {
    guard let name = relationship.destinationEntity?.name, let destination = shapes.shape(named: name) else {
      throw SeedError(
        code: .unknownKey,
        at: position,
        problem: "the relationship has no destination entity",
        remedy: "give it one in the model"
      )
    }
    destination.isInUse = true
    return destination
  }

  /// The reference that an object with `$add`, `$remove` or both makes for a to-many relationship;
  /// nil for all other values.
  private mutating func change(_ value: SeedValue, at place: ReferencePlace) throws -> PlannedRecord.Reference? {
    let (relationship, destination) = (place.relationship, place.destination)
    guard case .object(let fields) = value else { return nil }
    let keys = [Self.addKey, Self.removeKey]
    guard fields.contains(where: { keys.contains($0.key) }) else { return nil }
    guard relationship.isToMany else {
      throw SeedError(
        code: .wrongType,
        at: place.position,
        problem: "\(relationship.name) leads to one \(destination.name), to which nothing can be added",
        remedy: "give the one that it is to lead to, or null"
      )
    }
    var targets: [String: [PlannedRecord.Target]] = [:]
    for field in fields {
      let place = place.with(key: field.key)
      guard keys.contains(field.key), targets[field.key] == nil else {
        throw SeedError.wrongShape(
          at: place.position,
          problem:
            "an object with \(Self.addKey) or \(Self.removeKey) has nothing else, and each of them once",
          remedy: "write {\"\(Self.addKey)\": [...], \"\(Self.removeKey)\": [...]}"
        )
      }
      let found = try self.targets(field.value, at: place)
      if field.key == Self.removeKey, let nested = found.first(where: \.isNested) {
        throw SeedError(
          code: .wrongType,
          at: place.position,
          problem: "a record stands where an object is to be taken out\(nested.words)",
          remedy: "give the \(destination.naturalKey?.name ?? "natural key") of the \(destination.name)"
        )
      }
      targets[field.key] = found
    }
    let (additions, removals) = (targets[Self.addKey] ?? [], targets[Self.removeKey] ?? [])
    try checkDiffer(additions, removals: removals, at: place)
    return PlannedRecord.Reference(
      relationship: relationship,
      destination: destination,
      targets: additions,
      removals: removals
    )
  }

  /// Checks that no object is both added and removed.
  private func checkDiffer(
    _ additions: [PlannedRecord.Target],
    removals: [PlannedRecord.Target],
    at place: ReferencePlace
  ) throws {
    guard !additions.isEmpty, !removals.isEmpty else { return }
    let names = Set(additions.map { name(of: $0) })
    guard let removal = removals.first(where: { names.contains(name(of: $0)) }) else { return }
    throw SeedError(
      code: .contradiction,
      at: place.position.with(key: Self.removeKey),
      problem:
        "the \(place.destination.name) \(name(of: removal).words) is said by "
        + "\(place.position.with(key: Self.addKey)) to be added, and "
        + "this takes it out",
      remedy: "leave it to one of them"
    )
  }

  private func name(of target: PlannedRecord.Target) -> TargetName {
    switch target {
    case .key(let key), .label(_, let key?): .key(key)
    case .label(let label, nil): .label(label)
    }
  }

  private enum TargetName: Hashable {
    case key(KeyValues)
    case label(SeedLabel)

    var words: String {
      switch self {
      case .key(let key): key.words
      case .label(let label): label.words
      }
    }
  }

  /// The reference that an object with `$replace` makes for a to-many relationship; nil for all other values.
  private mutating func replacement(_ value: SeedValue, at place: ReferencePlace) throws -> PlannedRecord.Reference? {
    guard case .object(let fields) = value,
      let field = fields.first(where: { $0.key == Self.replaceKey })
    else { return nil }
    let (place, relationship) = (place.with(key: field.key), place.relationship)
    guard fields.count == 1 else {
      throw SeedError.wrongShape(
        at: place.position,
        problem: "an object with \(Self.replaceKey) has other keys besides",
        remedy: "write {\"\(Self.replaceKey)\": [...]}"
      )
    }
    guard relationship.isToMany, relationship.inverseRelationship?.isToMany == false else {
      throw SeedError(
        code: .wrongType,
        at: place.position,
        problem:
          "\(relationship.name) does not lead to objects that belong to one \(relationship.entity.name ?? "object") alone, "
          + "which could be deleted when they are not named",
        remedy: "give a value, or a list without \(Self.replaceKey)"
      )
    }
    return PlannedRecord.Reference(
      relationship: relationship,
      destination: place.destination,
      targets: try targets(field.value, at: place),
      replaces: true
    )
  }

  private mutating func targets(_ value: SeedValue, at place: ReferencePlace) throws -> [PlannedRecord.Target] {
    let values = try referenceValues(value, at: place)
    var targets: [PlannedRecord.Target] = []
    targets.reserveCapacity(values.count)
    for value in values { targets.append(try target(value, at: place)) }
    return targets
  }

  private func referenceValues(_ value: SeedValue, at place: ReferencePlace) throws -> [SeedValue] {
    if place.relationship.isToMany {
      if let values = value.listed { return values }
      if let rows = try TableReference(value, at: place.position)?.rows() { return rows }
    }
    switch value {
    case .text: return [value.withoutBlanks]
    case .null: return []
    case .array:
      throw SeedError(
        code: .wrongType,
        at: place.position,
        problem: "a list is given for a relationship to one \(place.destination.name)",
        remedy: "give one value, or make the relationship a to-many in the model"
      )
    default: return [value]
    }
  }

  private mutating func target(_ value: SeedValue, at place: ReferencePlace) throws -> PlannedRecord.Target {
    let (destination, position) = (place.destination, place.position)
    guard case .object(let fields) = value else { return .key(try key(value, of: destination, at: position)) }
    if let reference = fields.first(where: { $0.key == Self.referenceKey }) {
      guard fields.count == 1 else {
        throw SeedError.wrongShape(
          at: position,
          problem: "a reference by \(Self.referenceKey) has other keys besides",
          remedy: "leave it alone in its object, or use \(Self.labelKey) to label the record that is meant"
        )
      }
      let label = try Self.text(reference.value, at: position.with(key: Self.referenceKey))
      return .label(.written(label), key: key(ofLabel: label))
    }
    if let key = try compositeKey(fields, of: destination, at: position) { return .key(key) }
    try TableReference(value, at: position)?.checkIsNoPart(of: destination, isPlain: header.isPlain)
    return try planNested(fields, in: destination, within: place.enclosing, at: position)
  }

  /// The object form of a composite natural key, if the fields are exactly the properties of the
  /// key; nil for all others.
  private mutating func compositeKey(_ fields: [SeedField], of shape: EntityShape, at position: SeedPosition)
    throws
    -> KeyValues?
  {
    guard let key = shape.naturalKey, !key.isSimple, fields.count == key.parts.count else { return nil }
    var parts: [KeyValues.Part] = []
    for part in key.parts {
      let field = fields.first { shape.words.property(named: $0.key, isPlain: header.isPlain) === part.property }
      guard let field else { return nil }
      parts.append(try self.part(field.value, part: part, of: shape, at: position.with(key: field.key)))
    }
    return KeyValues(parts)
  }

  private mutating func part(
    _ value: SeedValue,
    part: NaturalKey.Part,
    of shape: EntityShape,
    at position: SeedPosition
  ) throws -> KeyValues.Part {
    switch part {
    case .attribute(let attribute):
      let converted = try self.value(value.withoutBlanks, for: attribute, of: shape, at: position)
      guard converted != .null else {
        throw SeedError(
          code: .wrongType,
          at: position,
          problem: "null is not part of a natural key",
          remedy: "give a value"
        )
      }
      return .value(converted)
    case .relationship(let relationship, _):
      let destination = try destination(of: relationship, at: position)
      if case .object(let fields) = value {
        if let key = try compositeKey(fields, of: destination, at: position) { return .object(key) }
        throw SeedError(
          code: .wrongType,
          at: position,
          problem: "a record stands in place of a key",
          remedy: "give the \(destination.naturalKey?.name ?? "natural key") of a \(destination.name)"
        )
      }
      return .object(try key(value, of: destination, at: position))
    }
  }

  /// A natural key of one part that is given by its bare value.
  private mutating func key(_ value: SeedValue, of destination: EntityShape, at position: SeedPosition) throws
    -> KeyValues
  {
    guard let key = destination.naturalKey else {
      throw SeedError(
        code: .noNaturalKey,
        at: position,
        problem: "\(destination.name) has no natural key to refer to its objects by",
        remedy:
          "label the record with \(Self.labelKey) and refer to it by {\"\(Self.referenceKey)\": label}, or "
          + "declare a key in \(SeedHeader.keysKey) of the seed"
      )
    }
    guard key.parts.count == 1 else {
      throw SeedError(
        code: .wrongType,
        at: position,
        problem: "\(value.kind) is not a natural key of \(key.parts.count) properties",
        remedy: "give an object with the \(key.name) of a \(destination.name)"
      )
    }
    guard case .attribute(let attribute) = key.parts[0] else {
      return KeyValues([try part(value, part: key.parts[0], of: destination, at: position)])
    }
    do {
      let converted = try self.value(value, for: attribute, of: destination)
      if converted != .null { return .one(converted) }
    } catch {
      throw SeedError(
        code: error.code,
        at: position,
        problem: "\(value.kind) is not the \(key.name) of a \(destination.name)",
        remedy: "give the \(key.name) of a \(destination.name): \(error.remedy)"
      )
    }
    throw SeedError(
      code: .wrongType,
      at: position,
      problem: "null is given in a list",
      remedy: "give the \(key.name) of a \(destination.name)"
    )
  }

  /// A record whose own natural key has a label in it can only be looked for when what is labelled is known.
  private func checkKeyLabel(
    _ label: String,
    of relationship: NSRelationshipDescription,
    at position: SeedPosition
  ) throws {
    guard !isKnown(label: label) else { return }
    throw SeedError(
      code: .unknownReference,
      at: position,
      problem:
        "\(relationship.name) is a part of the natural key, and no record before this one has the label "
        + "\"\(label.abbreviated)\"",
      remedy: "put the record with the label first, or refer to it by its natural key"
    )
  }
}

/// The relationship and the position of a reference.
private struct ReferencePlace {
  let relationship: NSRelationshipDescription
  let destination: EntityShape
  /// The record around the reference, if a nested record may need it.
  let enclosing: RecordPlanner.Enclosing?
  var position: SeedPosition

  func with(key: String) -> Self {
    var place = self
    place.position = position.with(key: key)
    return place
  }
}

extension PlannedRecord.Target {
  /// The words by which an error names it.
  fileprivate var words: String {
    switch self {
    case .key(let key), .label(_, let key?): ": \(key.words)"
    case .label(_, nil): ""
    }
  }
}
