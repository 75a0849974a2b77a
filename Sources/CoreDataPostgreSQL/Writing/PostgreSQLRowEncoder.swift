#if PostgreSQL
  import CoreData
  import Foundation

  /// Makes the values that the columns of an entity have of a row.
  struct PostgreSQLRowEncoder {
    private struct Field {
      let slot: Int
      let content: SQLRowPlan.Field.Content
      let hasEntityColumn: Bool
      let elements: [CompositeElement]
      /// The number of its first column.
      let column: Int
    }

    private let layout: EntityLayout
    private let references: SQLReferences
    private let binding = SQLBinding(dialect: PostgreSQLDialect())
    private let fields: [Field]
    /// The names of the columns.
    let names: [String]
    /// The types of the columns, as arrays have them.
    let types: [String]

    init(_ entity: SQLEntity, slots: [Int], references: SQLReferences) {
      layout = entity.layout
      self.references = references
      var (fields, names, types): ([Field], [String], [String]) = ([], [], [])
      let dialect = PostgreSQLDialect()
      for number in slots {
        guard let slot = entity.slots[number] else { continue }
        let elements = slot.elements.map(\.element)
        fields.append(
          Field(
            slot: number,
            content: SQLRowPlan.content(entity.layout.slots[number]),
            hasEntityColumn: slot.entityColumn != nil,
            elements: elements,
            column: names.count
          )
        )
        names += slot.columns
        if elements.isEmpty {
          let type = entity.layout.slots[number].attribute?.attributeType
          types.append(dialect.elementType(slot.storage, of: type))
          if slot.entityColumn != nil { types.append("bigint") }
        } else {
          for element in elements {
            let type = element.attribute.attributeType
            types.append(dialect.elementType(SQLStorage(type) ?? .binary, of: type))
          }
        }
      }
      (self.fields, self.names, self.types) = (fields, names, types)
    }

    /// Calls back with the value of each column of a row, by the column's number.
    ///
    /// - Throws: an error that names the property whose value cannot be kept.
    func forEachValue(of row: Row, _ body: (Int, SQLValue) throws -> Void) throws {
      for field in fields {
        if let number = number(row, field: field) {
          try body(field.column, number)
          continue
        }
        let slot = layout.slots[field.slot]
        let value = row.value(field.slot)
        if !field.elements.isEmpty {
          let values = try binding.values(of: field.elements, in: value, of: slot.property)
          for (index, value) in values.enumerated() {
            try body(field.column + index, try Self.kept(value, property: slot.property))
          }
        } else if case .reference(let reference) = value {
          let permanent = try references.permanentReference(for: reference, from: layout, slot: field.slot)
          try body(field.column, .integer(permanent.key))
          if field.hasEntityColumn { try body(field.column + 1, .integer(try references.entityNumber(of: permanent))) }
        } else if let attribute = slot.attribute {
          try body(field.column, try Self.kept(try binding.value(value, of: attribute), property: slot.property))
        } else {
          try body(field.column, .null)
          if field.hasEntityColumn { try body(field.column + 1, .null) }
        }
      }
    }

    /// The value of a numeric attribute, directly from the row's memory; `nil` for other attributes, and for null.
    private func number(_ row: Row, field: Field) -> SQLValue? {
      guard row.hasValue(field.slot) else { return nil }
      let place = row.base + layout.offset(field.slot)
      switch field.content {
      case .integer, .boolean: return .integer(place.load(as: Int64.self))
      case .real:
        let number = place.load(as: Double.self)
        return number.isNaN ? .null : .real(number)
      default: return nil
      }
    }

    private static func kept(_ value: SQLValue, property: NSPropertyDescription) throws -> SQLValue {
      switch value {
      case .text(let text) where text.utf8.contains(0): throw unkept(property)
      // NaN becomes null, as in every store.
      case .real(let number) where number.isNaN: return .null
      default: return value
      }
    }

    /// - Parameter property: the property whose value contains the character.
    static func unkept(_ property: NSPropertyDescription) -> any Error {
      StoreFailure.error(
        NSManagedObjectValidationError,
        message: """
          \(property.modelPath) has a text with the character U+0000, which no text in PostgreSQL can have; take it \
          out, or keep the text as data.
          """
      )
    }
  }
#endif
