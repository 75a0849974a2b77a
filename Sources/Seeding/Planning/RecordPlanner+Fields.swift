import CoreData
import Texts

extension RecordPlanner {
  /// The fields of a row. If all columns of an object are emptied, the object is emptied as a
  /// whole. If all of them are empty texts, the object is left out. For composite attributes, and
  /// for objects with properties at deeper paths, each value is treated on its own.
  func fields(_ fields: [SeedField], ofRow shape: EntityShape) -> [SeedField] {
    fields.compactMap { field in
      guard case .object = field.value, !hasValuesOfTheirOwn(below: field.key, of: shape) else { return field }
      if field.value.isAll(where: { $0 == .text("") }) { return nil }
      return field.value.isAll(where: { $0 == .null }) ? SeedField(key: field.key, value: .null) : field
    }
  }

  private func hasValuesOfTheirOwn(below key: String, of shape: EntityShape) -> Bool {
    if shape.words.property(named: key, isPlain: header.isPlain) is NSCompositeAttributeDescription { return true }
    return !header.isPlain && shape.words.hasPaths(below: key)
  }

  /// Adds the values of one field of a record.
  mutating func add(_ field: SeedField, to draft: inout RecordDraft, at position: SeedPosition) throws {
    let words = draft.shape.words
    let property = words.property(named: field.key, isPlain: header.isPlain)
    if let property { try add(field.value, for: property, to: &draft, at: position) }
    guard !header.isPlain, words.hasPaths(below: field.key) else {
      if property == nil { try reject(field.key, of: draft.shape, at: position) }
      return
    }
    switch field.value {
    case .object, .null: break
    default: if property == nil { throw noObject(field, in: words, at: position) }
    }
    for (property, value) in words.values(below: field) { try add(value, for: property, to: &draft, at: position) }
  }

  private mutating func add(
    _ value: SeedValue,
    for property: NSPropertyDescription,
    to draft: inout RecordDraft,
    at position: SeedPosition
  ) throws {
    switch property {
    case let attribute as NSAttributeDescription where EntityShape.canBeGiven(attribute):
      if value.isLeftOut(of: attribute) { return }
      let value = try self.value(value, for: attribute, of: draft.shape, at: position)
      try draft.add(value, for: attribute, at: position)
    case let relationship as NSRelationshipDescription:
      if case .text(let text) = value, text.isBlank { return }
      let value = try computedReference(value, at: position)
      try draft.add(try reference(value, relationship: relationship, of: draft, at: position), at: position)
    default: throw cannotBeGiven(property, at: position)
    }
  }

  /// The value of an attribute, as the store will have it.
  func value(
    _ value: SeedValue,
    for attribute: NSAttributeDescription,
    of shape: EntityShape,
    at position: SeedPosition
  ) throws -> PlannedValue {
    // A closure here would copy the planner for each value.
    do throws(AttributeConversion.Failure) {
      return try self.value(value, for: attribute, of: shape)
    } catch {
      throw SeedError(error, at: position)
    }
  }

  func value(
    _ value: SeedValue,
    for attribute: NSAttributeDescription,
    of shape: EntityShape
  ) throws(AttributeConversion.Failure) -> PlannedValue {
    let converted = try self.converted(value, attribute: attribute, shape: shape)
    if roundsDecimals { try converted.checkIsStorable() }
    return converted
  }

  /// The value through the value transformer that the model names for the attribute.
  private func converted(
    _ value: SeedValue,
    attribute: NSAttributeDescription,
    shape: EntityShape
  ) throws(AttributeConversion.Failure) -> PlannedValue {
    let transformer = header.isPlain ? nil : shape.transformer(of: attribute)
    let value = try computed.value(value, for: attribute, isTransformed: transformer != nil)
    guard !header.isPlain else { return try AttributeConversion.convert(value, to: attribute, dates: .byLook) }
    if let name = transformer { return try SeedTransformer(named: name).value(value, for: attribute) }
    let dates = shape.dates(of: attribute) ?? header.dates
    return try AttributeConversion.convert(value, to: attribute, dates: dates)
  }

  /// The value of a relationship that is given by expressions, one or a list of them; other values stay as they are.
  private func computedReference(_ value: SeedValue, at position: SeedPosition) throws -> SeedValue {
    switch value {
    case .object where value.isExpression:
      do throws(AttributeConversion.Failure) {
        guard case .expression(let text) = try ComputedValue(value) else { return value }
        return try computed.value(of: text)
      } catch {
        throw SeedError(error, at: position)
      }
    case .array(let values) where values.contains(where: \.isExpression):
      return .array(try values.map { try computedReference($0, at: position) })
    default: return value
    }
  }

  private func cannotBeGiven(_ property: NSPropertyDescription, at position: SeedPosition) -> SeedError {
    let problem =
      switch property {
      case is NSDerivedAttributeDescription: "the attribute is derived from others"
      case is NSFetchedPropertyDescription: "a fetched property is the result of a request"
      default: "the attribute is of a type no seed can hold"
      }
    return SeedError(code: .unknownKey, at: position, problem: problem, remedy: "remove the key")
  }

  private func noObject(_ field: SeedField, in words: PropertyWords, at position: SeedPosition) -> SeedError {
    SeedError(
      code: .wrongType,
      at: position,
      problem:
        "\(field.value.kind) is not an object in which \(words.paths(below: field.key).joined(separator: ", ")) could lie",
      remedy: "give an object"
    )
  }

  private mutating func reject(_ key: String, of shape: EntityShape, at position: SeedPosition) throws {
    let error = unknownKey(key, of: shape, at: position)
    guard unknownKeys != nil else { throw error }
    unknownKeys?.add(key, of: shape.name, error: error)
  }

  private func unknownKey(_ key: String, of shape: EntityShape, at position: SeedPosition) -> SeedError {
    if key.hasPrefix(SeedHeader.word) {
      return SeedError(
        code: .unknownKey,
        at: position,
        problem: "a record has no key of this name",
        remedy: "its keys with a dollar sign are \(Self.labelKey), \(Self.entityKey)"
      )
    }
    return SeedError(
      code: .unknownKey,
      at: position,
      problem: "\(shape.name) has no property of this name",
      remedy: Suggestion.remedy("key", word: key, among: shape.keys, of: "the keys of \(shape.name) are")
    )
  }
}

extension SeedValue {
  fileprivate var isExpression: Bool {
    if case .object(let fields) = self { fields.first?.key == ComputedValue.expressionKey } else { false }
  }
}

extension SeedValue {
  /// Returns true for an empty field in quotes: it is an empty text, and of attributes of other types no value.
  func isLeftOut(of attribute: NSAttributeDescription) -> Bool {
    switch attribute.attributeType {
    case .stringAttributeType, .transformableAttributeType: return false
    default:
      guard case .text(let text) = self else { return false }
      return text.isBlank
    }
  }

  /// Returns true if all values nested in objects satisfy a condition.
  fileprivate func isAll(where condition: (SeedValue) -> Bool) -> Bool {
    guard case .object(let fields) = self else { return condition(self) }
    return fields.allSatisfy { $0.value.isAll(where: condition) }
  }
}

extension String {
  /// True when there is nothing in it but blanks.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
