import Foundation
import Predicates

/// Follows a key path through a schema: across to-one relationships by joins, across to-many ones
/// by a query inside the query.
struct SQLKeyPathResolver {
  let keyPath: String
  private let keys: [String]
  private var collection: SQLCollection?
  /// The composite attribute at the end of the path so far. The next key names one of its elements.
  private var composite: (position: SQLPosition, elements: [SQLCompositeElement])?
  private var depth = 0

  init(_ keyPath: String) {
    self.keyPath = keyPath
    // Most key paths are one key.
    keys =
      keyPath.utf8.contains(UInt8(ascii: "."))
      ? keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init) : [keyPath]
  }

  /// The operand that the key path leads to from an object or a value.
  mutating func operand(from start: SQLElement) throws -> SQLOperand {
    var place = start
    for (index, key) in keys.enumerated() {
      if Self.meansItself(key) { continue }
      if key.utf8.first == UInt8(ascii: "@") {
        guard var collection else {
          throw SQLTranslationFailure.error(keyPath, reason: "\(key) needs a to-many relationship before it")
        }
        collection.element = place
        let aggregate = SQLAggregate(name: key, rest: Array(keys[(index + 1)...]), keyPath: keyPath)
        return .scalar(try aggregate.scalar(over: collection))
      }
      if let inside = composite {
        place = try element(key, of: inside)
        continue
      }
      switch place {
      case .value(let scalar): place = .value(try value(ofKey: key, scalar: scalar))
      case .object(let position):
        place = try next(key, position: position, isLast: keys[(index + 1)...].allSatisfy(Self.meansItself))
      }
    }
    if composite != nil {
      throw SQLTranslationFailure.error(keyPath, reason: "it ends at a composite attribute; name one of its elements")
    }
    if var collection {
      collection.element = place
      return .collection(collection)
    }
    switch place {
    case .object(let position): return .scalar(position.scalar)
    case .value(let scalar): return .scalar(scalar)
    }
  }

  /// The column of an element of a composite attribute, or the elements of a composite inside of it.
  private mutating func element(
    _ key: String,
    of inside: (position: SQLPosition, elements: [SQLCompositeElement])
  ) throws -> SQLElement {
    let named = inside.elements.filter { $0.element.path[depth] == key }
    guard let first = named.first else {
      throw SQLTranslationFailure.error(keyPath, reason: "the composite attribute has no element \(key)")
    }
    depth += 1
    if first.element.path.count > depth {
      composite = (inside.position, named)
      return .object(inside.position)
    }
    composite = nil
    depth = 0
    let reference = SQLColumnReference(alias: inside.position.alias, name: first.column)
    return .value(SQLScalar(first.element.attribute, column: reference))
  }

  /// The value of a key of an attribute's value in memory, such as `title.length`, where SQL has the same.
  private func value(ofKey key: String, scalar: SQLScalar) throws -> SQLScalar {
    func text(_ function: String, kind: SQLKind) -> SQLScalar {
      SQLScalar(kind, width: SQLIntegerWidth.count) {
        try $0.dialect.writeTextFunction(function, of: scalar.write, to: &$0)
      }
    }
    switch (scalar.kind, key) {
    case (.text, "length"): return text("length:", kind: .integer)
    case (.text, "uppercaseString"): return text("uppercase:", kind: .text)
    case (.text, "lowercaseString"): return text("lowercase:", kind: .text)
    case (.date, "timeIntervalSinceReferenceDate"): return SQLScalar(.real, write: scalar.write)
    case (.uri, "absoluteString"): return SQLScalar(.text, write: scalar.write)
    default:
      throw SQLTranslationFailure.error(
        keyPath,
        reason: """
          what stands before \(key) is \(scalar.kind.name), which does not have that key there; text has length, \
          uppercaseString and lowercaseString, a date timeIntervalSinceReferenceDate, and a URI absoluteString
          """
      )
    }
  }

  private static func meansItself(_ key: String) -> Bool { key == "self" || key == "SELF" || key == "objectID" }

  private mutating func next(_ key: String, position: SQLPosition, isLast: Bool) throws -> SQLElement {
    let layout = position.entity.layout
    switch layout.places[key] {
    case .slot(let number):
      let slot = layout.slots[number]
      guard let column = position.entity.slots[number] else {
        throw SQLTranslationFailure.error(
          keyPath,
          reason: "\(slot.property.modelPath) is transient and in no store; filter the result in memory"
        )
      }
      if !column.elements.isEmpty {
        composite = (position, column.elements)
        return .object(position)
      }
      let reference = SQLColumnReference(alias: position.alias, name: column.column)
      if let attribute = slot.attribute { return .value(SQLScalar(attribute, column: reference)) }
      return try toOne(
        reference,
        destination: try destination(column.destination, position: position),
        position: position,
        isLast: isLast
      )
    case .toMany(let number): return .object(try toMany(position.entity.toMany[number], position: position))
    case nil where layout.entity.allPropertiesByName[key] is NSFetchedPropertyDescription:
      throw SQLTranslationFailure.error(
        keyPath,
        reason: "\(layout.entity.name ?? "").\(key) is a fetched property, which only memory can evaluate"
      )
    case nil where key == "entity" && isLast:
      let entities = position.scope.schema.entities.map { ($0.entity.name ?? "", $0.number) }
      let numbers = Dictionary(entities, uniquingKeysWith: { first, _ in first })
      let reference = SQLColumnReference(alias: position.alias, name: position.entity.table.entityColumn)
      return .value(SQLScalar(.entity(numbers: numbers), column: reference))
    case nil: throw SQLTranslationFailure.unknownKey(key, in: keyPath, entity: layout.entity)
    }
  }

  /// The destination of a to-one relationship. At the end of a key path its key is enough, and there is no join.
  private func toOne(
    _ foreignKey: SQLColumnReference,
    destination: SQLEntity,
    position: SQLPosition,
    isLast: Bool
  ) throws -> SQLElement {
    if isLast { return .value(SQLScalar(.object(root: destination.layout.rootNumber), column: foreignKey)) }
    let alias = position.scope.joinToOne(destination.table, on: foreignKey)
    return .object(SQLPosition(scope: position.scope, alias: alias, entity: destination, isOptional: true))
  }

  /// The destinations of a to-many relationship: the first begins a query inside, each further one joins in.
  private mutating func toMany(_ relationship: SQLToMany, position: SQLPosition) throws -> SQLPosition {
    let number: Int32
    switch relationship {
    case .foreignKey(let key): number = key.destination
    case .join(let join): number = join.destination
    case .transient:
      throw SQLTranslationFailure.error(keyPath, reason: "it leads through a transient relationship; filter in memory")
    }
    let entity = try destination(number, position: position)
    if collection != nil {
      let alias = position.scope.joinToMany(relationship, to: entity.table, from: position)
      return SQLPosition(scope: position.scope, alias: alias, entity: entity, isOptional: position.isOptional)
    }
    let inner = position.scope.nested(entity)
    let link = inner.begin(relationship, from: position.key)
    collection = SQLCollection(scope: inner, link: link, element: .object(SQLPosition(root: inner)))
    return SQLPosition(root: inner)
  }

  private func destination(_ number: Int32, position: SQLPosition) throws -> SQLEntity {
    guard let entity = position.scope.schema.entity(modelNumber: number) else {
      throw SQLTranslationFailure.error(keyPath, reason: "it leads out of the store's configuration")
    }
    return entity
  }
}
