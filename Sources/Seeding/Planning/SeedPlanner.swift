import CoreData

/// Checks records against the model and puts them into order, without a store.
struct SeedPlanner {
  private let entitiesByName: [String: NSEntityDescription]
  private let names: EntityNames
  private let naturalKeys = NaturalKeys()
  private var shapes: [String: EntityShape] = [:]
  private var shapesByWord: [String: EntityShape] = [:]
  private var recordsByEntity: [String: [PlannedRecord]] = [:]
  private var firstByKey: [String: [KeyValues: SeedPosition]] = [:]
  private var recordCounts: [[String: Int]] = []

  init(_ model: NSManagedObjectModel) {
    entitiesByName = model.entitiesByName
    names = EntityNames(entitiesByName.keys)
  }

  /// Adds all records of one source.
  mutating func add(_ reader: some SeedRecordReader) throws {
    var reader = reader
    var counts: [String: Int] = [:]
    while let record = try reader.next() {
      let planned = try planned(record)
      try add(planned)
      counts[planned.shape.name, default: 0] += 1
    }
    recordCounts.append(counts)
  }

  /// Adds a record that was planned before.
  mutating func add(_ planned: PlannedRecord) throws {
    try checkUniqueness(planned)
    recordsByEntity[planned.shape.name, default: []].append(planned)
  }

  func finish() -> SeedPlan {
    let records = EntityOrder.sorted(recordsByEntity).flatMap { recordsByEntity[$0] ?? [] }
    return SeedPlan(records: records, recordCounts: recordCounts)
  }

  /// Checks one record against the model.
  mutating func planned(_ record: SeedRecord) throws -> PlannedRecord {
    let shape = try shape(for: record)
    var position = record.position
    position.entity = shape.name
    var values: [(NSAttributeDescription, AttributeValue)] = []
    var references: [PlannedRecord.Reference] = []
    for field in record.fields {
      let place = position.with(key: field.key)
      if let attribute = shape.attributes[field.key], EntityShape.canBeGiven(attribute) {
        values.append((attribute, try convert(field.value, to: attribute, at: place)))
      } else if let relationship = shape.relationships[field.key] {
        references.append(try reference(field.value, relationship, at: place))
      } else {
        throw unknownKey(field.key, of: shape, at: place)
      }
    }
    return PlannedRecord(
      shape: shape,
      position: position,
      label: nil,
      values: values,
      references: references
    )
  }

  private mutating func shape(for record: SeedRecord) throws -> EntityShape {
    if let shape = shapesByWord[record.entity] { return shape }
    var position = record.position
    position.record = nil
    let name: String
    switch names.match(record.entity) {
    case .one(let match):
      name = match
    case .none:
      throw SeedError(
        .unknownEntity,
        at: position,
        "the model has no entity that \"\(record.entity.abbreviated)\" could mean",
        remedy: Suggestion.remedy("word", record.entity, among: names.all, of: "the model's entities are")
      )
    case .several(let matches):
      throw SeedError(
        .unknownEntity,
        at: position,
        "\"\(record.entity)\" could mean \(matches.joined(separator: " or "))",
        remedy: "write the entity's exact name"
      )
    }
    guard let shape = shape(named: name) else {
      throw SeedError(.unknownEntity, at: position, "the model has no \(name)", remedy: "correct the word")
    }
    guard !shape.entity.isAbstract else {
      let concrete = shape.entity.subentities.compactMap(\.name).sorted().joined(separator: ", ")
      throw SeedError(
        .unknownEntity,
        at: position,
        "\(name) is abstract, so it has no objects",
        remedy: "name one of its subentities: \(concrete)"
      )
    }
    shapesByWord[record.entity] = shape
    return shape
  }

  private mutating func shape(named name: String) -> EntityShape? {
    if let shape = shapes[name] { return shape }
    guard let entity = entitiesByName[name] else { return nil }
    let shape = EntityShape(entity, name: name, naturalKey: naturalKeys.key(of: entity))
    shapes[name] = shape
    return shape
  }

  private func convert(
    _ value: SeedValue,
    to attribute: NSAttributeDescription,
    at position: SeedPosition
  ) throws -> AttributeValue {
    do {
      return try AttributeConversion.convert(value, to: attribute)
    } catch {
      throw SeedError(.wrongType, at: position, error.problem, remedy: error.remedy)
    }
  }

  private mutating func reference(
    _ value: SeedValue,
    _ relationship: NSRelationshipDescription,
    at position: SeedPosition
  ) throws -> PlannedRecord.Reference {
    guard let name = relationship.destinationEntity?.name, let destination = shape(named: name) else {
      throw SeedError(
        .unknownKey,
        at: position,
        "the relationship has no destination entity",
        remedy: "give it one in the model"
      )
    }
    let targets = try referenceValues(value, relationship, to: destination, at: position).map { value in
      PlannedRecord.Target.key(try referenceKey(value, to: destination, at: position))
    }
    return PlannedRecord.Reference(relationship: relationship, destination: destination, targets: targets)
  }

  private func referenceValues(
    _ value: SeedValue,
    _ relationship: NSRelationshipDescription,
    to destination: EntityShape,
    at position: SeedPosition
  ) throws -> [SeedValue] {
    if relationship.isToMany, let values = value.listed { return values }
    switch value {
    case .null: return []
    case .array:
      throw SeedError(
        .wrongType,
        at: position,
        "a list is given for a relationship to one \(destination.name)",
        remedy: "give one value, or make the relationship a to-many in the model"
      )
    default: return [value]
    }
  }

  private func referenceKey(
    _ value: SeedValue,
    to destination: EntityShape,
    at position: SeedPosition
  ) throws -> KeyValues {
    guard let key = destination.naturalKey else {
      throw SeedError(
        .noNaturalKey,
        at: position,
        "\(destination.name) has no natural key to refer to its objects by",
        remedy: "give it a uniqueness constraint, or \(NaturalKeys.userInfoKey) in its user info"
      )
    }
    let expected = "give the \(key.name) of a \(destination.name)"
    guard case .attribute(let attribute) = key.parts[0], key.parts.count == 1 else {
      throw SeedError(.wrongType, at: position, "\(value.kind) is no key of several parts", remedy: expected)
    }
    if case .object = value {
      throw SeedError(.wrongType, at: position, "an object is given for a relationship", remedy: expected)
    }
    do {
      let converted = try AttributeConversion.convert(value, to: attribute)
      if converted != .null { return .one(converted) }
    } catch {
      throw SeedError(
        .wrongType,
        at: position,
        "\(value.kind) is no \(key.name) of a \(destination.name)",
        remedy: "\(expected): \(error.remedy)"
      )
    }
    throw SeedError(.wrongType, at: position, "null is given in a list", remedy: expected)
  }

  private func unknownKey(_ key: String, of shape: EntityShape, at position: SeedPosition) -> SeedError {
    if let attribute = shape.attributes[key] {
      let kind =
        attribute is NSDerivedAttributeDescription ? "derived from others" : "of a type no seed can hold"
      return SeedError(.unknownKey, at: position, "the attribute is \(kind)", remedy: "remove the key")
    }
    return SeedError(
      .unknownKey,
      at: position,
      "\(shape.name) has no property of this name",
      remedy: Suggestion.remedy("key", key, among: shape.keys, of: "the keys of \(shape.name) are")
    )
  }

  private mutating func checkUniqueness(_ record: PlannedRecord) throws {
    guard let value = record.naturalKey, let key = record.shape.naturalKey else { return }
    let first = firstByKey[record.shape.name, default: [:]].updateValue(record.position, forKey: value)
    guard let first else { return }
    let other = "record \(first.record ?? 0)\(first.file == record.position.file ? "" : " of \(first.file)")"
    throw SeedError(
      .ambiguousKey,
      at: record.position.with(key: key.name),
      "\(other) has the \(key.name) \(value.words) as well",
      remedy: "remove one, or name another key in \(NaturalKeys.userInfoKey) of the entity's user info"
    )
  }
}
