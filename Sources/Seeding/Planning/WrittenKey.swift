package import CoreData

/// A natural key as a person writes it: one text for each value, in the order of the key.
///
/// The relationship's part of the key is written as the values of the related object's key: the key
/// `recipe`, `number` of a `Step` is written as the recipe's name and the step's number. Texts are
/// read like the fields of a table, so that a date in any of its spellings names the same object.
package struct WrittenKey {
  private let key: NaturalKey
  private let values: KeyValues

  /// - Parameters:
  ///   - texts: As many as the key has paths.
  ///   - place: The name of the texts' place in error messages.
  /// - Throws: A `SeedError` with the code `wrong-type` for a text that is not a value of its attribute.
  package init(_ texts: [String], of key: NaturalKey, at place: String) throws {
    var rest = texts[...]
    let values = try Self.values(of: key, rest: &rest, position: SeedPosition(file: place))
    guard let values, rest.isEmpty else {
      throw SeedError(
        code: .wrongType,
        at: SeedPosition(file: place),
        problem: "the natural key has \(key.paths.count) values",
        remedy: "give \(key.paths.joined(separator: ", "))"
      )
    }
    self.key = key
    self.values = values
  }

  /// Returns true when the key is that of an object. Called on the queue of the object's context.
  package func names(_ object: NSManagedObject) -> Bool { key.values(of: object) == values }

  private static func values(
    of key: NaturalKey,
    rest: inout ArraySlice<String>,
    position: SeedPosition
  ) throws -> KeyValues? {
    var parts: [KeyValues.Part] = []
    for part in key.parts {
      switch part {
      case .attribute(let attribute):
        guard let text = rest.popFirst() else { return nil }
        let value = try RecordPlanner.failing(at: position.with(key: attribute.name)) {
          () throws(AttributeConversion.Failure) in
          try AttributeConversion.convert(.text(text), to: attribute, dates: .byLook)
        }
        parts.append(.value(value))
      case .relationship(_, let key):
        guard let values = try values(of: key, rest: &rest, position: position) else { return nil }
        parts.append(.object(values))
      }
    }
    return KeyValues(parts)
  }
}

extension NaturalKey {
  /// The attributes whose values make the key, by their paths: `recipe.name`, `number`.
  package var paths: [String] {
    parts.flatMap { part in
      switch part {
      case .attribute(let attribute): [attribute.name]
      case .relationship(let relationship, let key): key.paths.map { "\(relationship.name).\($0)" }
      }
    }
  }
}
