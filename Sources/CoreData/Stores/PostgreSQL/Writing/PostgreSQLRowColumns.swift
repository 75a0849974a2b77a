#if PostgreSQL
  import Foundation
  import PostgreSQLDriver

  /// The columns of some rows of one entity, gathered for a statement that writes them all.
  struct PostgreSQLRowColumns {
    /// Rows that go to the server together.
    static let rowsPerStatement = 1000

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
    /// The names of the columns, in the order of the arrays.
    let names: [String]
    private(set) var arrays: [PostgreSQLArray]

    init(_ entity: SQLEntity, slots: [Int], references: SQLReferences) {
      layout = entity.layout
      self.references = references
      var (fields, names, arrays): ([Field], [String], [PostgreSQLArray]) = ([], [], [])
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
          arrays.append(PostgreSQLArray(type: dialect.elementType(slot.storage, of: type)))
          if slot.entityColumn != nil { arrays.append(PostgreSQLArray(type: "bigint")) }
        } else {
          for element in elements {
            let type = element.attribute.attributeType
            let storage = SQLStorage(type) ?? .binary
            arrays.append(PostgreSQLArray(type: dialect.elementType(storage, of: type)))
          }
        }
      }
      (self.fields, self.names, self.arrays) = (fields, names, arrays)
    }

    var values: [PostgreSQLValue] { arrays.map(\.value) }

    /// Adds a row.
    ///
    /// - Throws: an error that names the property whose value cannot be kept.
    mutating func append(_ row: Row) throws {
      for field in fields {
        let slot = layout.slots[field.slot]
        let value = row.value(field.slot)
        if !field.elements.isEmpty {
          let values = try binding.values(of: field.elements, in: value, of: slot.property)
          for (index, value) in values.enumerated() { try append(value, field.column + index, slot.property) }
        } else if case .reference(let reference) = value {
          let permanent = try references.permanentReference(for: reference, from: layout, field.slot)
          arrays[field.column].append(.integer(permanent.key))
          if field.hasEntityColumn {
            arrays[field.column + 1].append(.integer(try references.entityNumber(of: permanent)))
          }
        } else if let attribute = slot.attribute {
          try append(try binding.value(value, of: attribute), field.column, slot.property)
        } else {
          arrays[field.column].append(.null)
          if field.hasEntityColumn { arrays[field.column + 1].append(.null) }
        }
      }
    }

    private mutating func append(_ value: SQLValue, _ column: Int, _ property: NSPropertyDescription) throws {
      switch value {
      case .text(let text) where text.utf8.contains(0): throw Self.unkept(property)
      // As in every store: not a number is no value.
      case .real(let number) where number.isNaN: arrays[column].append(.null)
      default: arrays[column].append(value)
      }
    }

    /// - Parameter property: the one whose value has the character.
    static func unkept(_ property: NSPropertyDescription) -> any Error {
      StoreFailure.error(
        NSManagedObjectValidationError,
        """
        \(property.modelPath) has a text with the character U+0000, which no text in PostgreSQL can have; take it \
        out, or keep the text as data.
        """
      )
    }
  }
#endif
