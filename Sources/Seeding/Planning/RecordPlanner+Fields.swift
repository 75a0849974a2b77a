import CoreData

extension RecordPlanner {
  /// Adds what one field of a record says.
  mutating func add(_ field: SeedField, to draft: inout RecordDraft, at position: SeedPosition) throws {
    let words = draft.shape.words
    let property = words.property(named: field.key, isPlain: header.isPlain)
    if let property { try add(field.value, for: property, to: &draft, at: position) }
    guard !header.isPlain, words.hasPaths(below: field.key) else {
      if property == nil { throw unknownKey(field.key, of: draft.shape, at: position) }
      return
    }
    switch field.value {
    case .object, .null: break
    default: if property == nil { throw noObject(field, in: words, at: position) }
    }
    for (property, value) in words.values(below: field) {
      try add(value, for: property, to: &draft, at: position)
    }
  }

  private mutating func add(
    _ value: SeedValue,
    for property: NSPropertyDescription,
    to draft: inout RecordDraft,
    at position: SeedPosition
  ) throws {
    switch property {
    case let attribute as NSAttributeDescription where EntityShape.canBeGiven(attribute):
      let value = try Self.failing(at: position) { () throws(AttributeConversion.Failure) in
        try self.value(value, for: attribute, of: draft.shape)
      }
      try draft.add(value, for: attribute, at: position)
    case let relationship as NSRelationshipDescription:
      try draft.add(try reference(value, relationship, of: draft, at: position), at: position)
    default:
      throw cannotBeGiven(property, at: position)
    }
  }

  /// The value of an attribute, through the value transformer that the model names for it.
  func value(
    _ value: SeedValue,
    for attribute: NSAttributeDescription,
    of shape: EntityShape
  ) throws(AttributeConversion.Failure) -> AttributeValue {
    guard !header.isPlain else {
      return try AttributeConversion.convert(value, to: attribute, dates: .byLook)
    }
    if let name = shape.transformers[attribute.name] {
      return try SeedTransformer(named: name).value(value, for: attribute)
    }
    let dates = shape.dates(of: attribute) ?? header.dates
    return try AttributeConversion.convert(value, to: attribute, dates: dates)
  }

  private func cannotBeGiven(_ property: NSPropertyDescription, at position: SeedPosition) -> SeedError {
    let problem =
      switch property {
      case is NSDerivedAttributeDescription: "the attribute is derived from others"
      case is NSFetchedPropertyDescription: "a fetched property is the result of a request"
      default: "the attribute is of a type no seed can hold"
      }
    return SeedError(.unknownKey, at: position, problem, remedy: "remove the key")
  }

  private func noObject(_ field: SeedField, in words: PropertyWords, at position: SeedPosition) -> SeedError {
    SeedError(
      .wrongType,
      at: position,
      "\(field.value.kind) is no object in which \(words.paths(below: field.key).joined(separator: ", ")) could lie",
      remedy: "give an object"
    )
  }

  private func unknownKey(_ key: String, of shape: EntityShape, at position: SeedPosition) -> SeedError {
    if key.hasPrefix(SeedHeader.word) {
      return SeedError(
        .unknownKey,
        at: position,
        "a record has no key of this name",
        remedy: "its keys with a dollar sign are \(Self.labelKey), \(Self.entityKey)"
      )
    }
    return SeedError(
      .unknownKey,
      at: position,
      "\(shape.name) has no property of this name",
      remedy: Suggestion.remedy("key", key, among: shape.keys, of: "the keys of \(shape.name) are")
    )
  }
}
